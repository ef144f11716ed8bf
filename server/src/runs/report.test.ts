import type { RunItem } from '@plinth/contract/runs';
import { expect, it } from 'vitest';
import { makeFolderNames, writeReport } from './report.ts';

const item = (filename: string | null, sku: string | null = null) => ({ filename, sku }) as RunItem;
const nameAll = (items: RunItem[]) => items.map(makeFolderNames());

/** What Windows makes of a folder's name, and macOS of its letters. */
const asWindowsKeeps = (name: string) => name.replace(/[. ]+$/, '').toLowerCase();
const asMacKeeps = (name: string) => name.normalize('NFD').toLowerCase();
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|com[¹²³]|lpt[¹²³]|conin\$|conout\$) *(\.|$)/i;

const HOSTILE: [filename: string | null, sku: string | null][] = [
  ['CON.jpg', null],
  ['nul.png.jpg', null],
  ['aux', null],
  ['Aux .jpg', null],
  ['LPT¹.jpg', null],
  ['conin$.png', null],
  ['x.jpg', 'COM1.txt'],
  ['x.jpg', 'PRN'],
  ['x.jpg', 'M-01.'],
  ['x.jpg', 'M-01'],
  ['x.jpg', 'm-01...'],
  ['caf\u00e9.jpg', null],
  ['cafe\u0301.jpg', null],
  ['CAFÉ.jpg', null],
  ['mug. .jpg', null],
  ['mug.jpg', null],
  ['report.csv.jpg', null],
  ['x.jpg', 'REPORT.CSV'],
  [`${'ü'.repeat(200)}.jpg`, null],
  [`${'ü'.repeat(199)}.jpg`, null],
  [`${'😀'.repeat(100)}.jpg`, null],
  ['a<b>:"|?*\\c\u0007.jpg', null],
  ['...', null],
  [null, null],
  ['.htaccess', null],
];

it('every folder is one that Windows and macOS can have, and each of its own', () => {
  const folders = nameAll(HOSTILE.map(([filename, sku]) => item(filename, sku)));
  for (const folder of folders) {
    expect(folder).not.toMatch(DEVICE);
    expect(folder).not.toMatch(/[<>:"/\\|?*\p{C}]|[. ]$/u);
    expect(folder).not.toBe('');
    expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(255);
    expect(folder.normalize('NFC')).toBe(folder);
  }
  for (const keep of [asWindowsKeeps, asMacKeeps])
    expect(new Set(['report.csv', ...folders].map(keep)).size).toBe(folders.length + 1);
});

it('an ordinary name stays as it is', () => {
  const items = [item('mug.jpg'), item('a.b.png'), item('x.jpg', 'M-01'), item('console.jpg'), item('Tasse grün.jpg')];
  expect(nameAll(items)).toEqual(['mug', 'a.b', 'M-01', 'console', 'Tasse grün']);
});

it('the report begins with the mark by which table programs read its letters', () => {
  const text = writeReport([], [], 1);
  expect([...Buffer.from(text).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(text.indexOf('\uFEFF', 1)).toBe(-1);
});
