import type { RunItem } from '@plinth/contract/runs';
import { expect, it } from 'vitest';
import { makeFileNames, makeFolderNames } from './names.ts';
import { writeReport } from './archive.ts';

const item = (filename: string | null, sku: string | null = null) => ({ filename, sku }) as RunItem;
const nameAll = (items: RunItem[]) => items.map(makeFolderNames());

/** The folder name as Windows changes it, with letters as macOS normalises them. */
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
  const text = writeReport([], []);
  expect([...Buffer.from(text).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(text.indexOf('\uFEFF', 1)).toBe(-1);
});

const mug = { sku: 'M-01', filename: 'red mug.jpg', asin: 'B000123456', ean: null, role: null, handle: 'red-mug' };

it('files are named by the pattern of their pack, with what is known of the item', () => {
  const names = makeFileNames(mug);
  expect(names.result('png')).toBe('M-01.png');
  expect(names.pack('amazon-main', 'jpg')).toBe('B000123456.MAIN.jpg');
  expect(names.pack('amazon-more', 'jpg')).toBe('B000123456.PT01.jpg');
  expect(names.pack('shopify', 'jpg')).toBe('red-mug-1.jpg');
  expect(makeFileNames({ ...mug, role: 'PT03' }).pack('amazon-more', 'jpg')).toBe('B000123456.PT03.jpg');
  expect(makeFileNames({ ...mug, role: 'PT03' }).pack('amazon-main', 'jpg')).toBe('B000123456.MAIN.jpg');
});

it('what is missing falls back to the SKU, then to the photo, then to a number, and no two are alike', () => {
  expect(makeFileNames({ ...mug, asin: null }).pack('amazon-main', 'jpg')).toBe('M-01.MAIN.jpg');
  const nameless = makeFileNames({ ...mug, asin: null, sku: null, filename: null, handle: null });
  expect(nameless.pack('amazon-main', 'jpg')).toBe('1.MAIN.jpg');
  expect([nameless.pack('shopify', 'jpg'), nameless.pack('shopify', 'jpg')]).toEqual(['1-1.jpg', '1-1-2.jpg']);
  expect(makeFileNames({ ...mug, sku: null, asin: null }).pack('amazon-main', 'jpg')).toBe('red mug.MAIN.jpg');
});

it('a very long name keeps what the marketplace reads at its end', () => {
  const long = makeFileNames({ ...mug, asin: null, sku: null, filename: `${'ü'.repeat(250)}.jpg` });
  expect(long.pack('amazon-main', 'jpg')).toBe(`${'ü'.repeat(75)}.MAIN.jpg`);
});
