import { expect, test } from 'vitest';
import { inOrder, type Photo } from '../photos.ts';
import { applyList, matchList, validFacts } from './match-list.ts';
import { findPhotoProblems } from './check-photos.ts';
import { readList } from './read-list.ts';
import { tools } from '@plinth/contract/tools';

const photo = (path: string) => ({ id: path, path, name: path.split('/').at(-1) ?? path });
const csv = (text: string) => new Blob([text]);
const rows = async (text: string) => (await readList(csv(text))) ?? [];
const match = async (text: string, paths: string[]) => matchList(await rows(text), paths.map(photo));
const said = ({ problems }: ReturnType<typeof matchList>) => problems.map(({ line, says }) => `${line}: ${says}`);

test('a list is read with the line that each row begins in, whatever stands between quotes', async () => {
  const text =
    '\ufeffSKU,File,Prompt\r\nM-01,m1.jpg,"on a table,\r\nin the morning"\r\n\r\nM-02,m2.jpg,"""late"" sun"\r\n';
  expect(await readList(csv(text))).toEqual([
    { line: 2, sku: 'M-01', file: 'm1.jpg', words: 'on a table,\r\nin the morning', facts: {} },
    { line: 5, sku: 'M-02', file: 'm2.jpg', words: '"late" sun', facts: {} },
  ]);
});

test('a list may be written with semicolons, in the letters of Windows, with other columns and in another order', async () => {
  const windows = new Blob([
    new Uint8Array([
      ...new TextEncoder().encode('price;file;sku\n9;caf'),
      0xe9,
      ...new TextEncoder().encode('.jpg;C-1\n'),
    ]),
  ]);
  expect(await readList(windows)).toEqual([{ line: 2, sku: 'C-1', file: 'café.jpg', words: '', facts: {} }]);
});

test.each([
  ['two columns with commas in the words', 'file;prompt\na.jpg;oak, warm\nb.jpg;marble, cold\n'],
  ['tabs', 'file\tprompt\na.jpg\toak, warm\nb.jpg\tmarble, cold\n'],
  ['commas', 'file,prompt\r\na.jpg,"oak, warm"\r\nb.jpg,"marble, cold"\r\n'],
  ['a word to Excel before it', 'sep=;\r\nfile;prompt\r\na.jpg;oak, warm\r\nb.jpg;marble, cold\r\n'],
  ['the title of a table before it', 'Tabelle 1;\r\nfile;prompt\r\na.jpg;oak, warm\r\nb.jpg;marble, cold\r\n'],
  ['German names', 'Höhe (cm);Dateiname;Szene\n1;a.jpg;oak, warm\n2;b.jpg;marble, cold\n'],
  ['French names', 'Référence;Fichier;Scène\nA;a.jpg;oak, warm\nB;b.jpg;marble, cold\n'],
  ['the lines of old Macs', 'prompt|file\roak, warm|a.jpg\rmarble, cold|b.jpg\r'],
])('the first line says what stands between the columns: %s', async (_kind, text) => {
  expect((await rows(text)).map(({ file, words }) => [file, words])).toEqual([
    ['a.jpg', 'oak, warm'],
    ['b.jpg', 'marble, cold'],
  ]);
});

test('a list of one column has nothing between columns', async () => {
  expect((await rows('file\nred, blue.jpg\ngreen; grey.jpg\n')).map(({ file }) => file)).toEqual([
    'red, blue.jpg',
    'green; grey.jpg',
  ]);
});

const utf16 = (text: string, isLittle: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return new Uint8Array(view.buffer);
};
// "é" is 0x8e and "ß" 0xa7 on old Macs.
const macintosh = (text: string) =>
  new Uint8Array([...text].map((letter) => ({ é: 0x8e, ß: 0xa7 })[letter] ?? letter.charCodeAt(0)));
const LETTERS = 'sku\tfile\tprompt\r\nA1\tcafé.jpg\tweiß\r\n';

test.each([
  ['UTF-16 with its mark', utf16(`\ufeff${LETTERS}`, true)],
  ['UTF-16 the other way round', utf16(`\ufeff${LETTERS}`, false)],
  ['UTF-16 without a mark', utf16(LETTERS, true)],
  ['old Macs', macintosh(LETTERS.replaceAll('\r\n', '\r'))],
])('a list is read in the letters of %s', async (_kind, bytes) => {
  const [row] = (await readList(new Blob([bytes]))) ?? [];
  expect(row).toMatchObject({ line: 2, sku: 'A1', file: 'café.jpg', words: 'weiß' });
});

test('a height may have a decimal comma; what could be a thousand is asked about', async () => {
  const text = 'file;height_cm\na.jpg;12,5\nb.jpg;1,000\n';
  expect((await rows(text)).map(({ facts }) => facts.heightCm)).toEqual(['12.5', '1,000']);
  expect(said(await match(text, ['a.jpg', 'b.jpg']))).toEqual([expect.stringMatching(/^3: “1,000”: A height/)]);
});

test('a quote that never closes is said with its line', async () => {
  const text = 'file,prompt\na.jpg,"oak\nb.jpg,marble\n';
  expect(said(await match(text, ['a.jpg']))).toEqual(['2: A quote begins in this line and never ends.']);
});

test('what shops ask for is read by its columns; what they would refuse is said with its line, and left out', async () => {
  const text = [
    'file;asin;ean;role;handle;height_cm',
    'm1.jpg;B000123456;4006381333931;MAIN;red-mug;12.5',
    'm2.jpg;b0;123;FRONT;Red Mug;12,5 cm',
    'm3.jpg;;;;;0',
  ].join('\n');
  const [first, second, third] = await rows(text);
  const sound = { asin: 'B000123456', ean: '4006381333931', role: 'MAIN', handle: 'red-mug', heightCm: '12.5' };
  expect([first, second, third].map((row) => validFacts(row?.facts ?? {}))).toEqual([sound, {}, {}]);
  expect(said(await match(text, ['m1.jpg', 'm2.jpg', 'm3.jpg']))).toEqual([
    expect.stringMatching(/^3: “12,5 cm”: A height in cm is a number from 0\.1 to 1000/),
    expect.stringMatching(/^3: “b0”: An ASIN has/),
    expect.stringMatching(/^3: “123”: An EAN has/),
    expect.stringMatching(/^3: “FRONT”: A role is/),
    expect.stringMatching(/^3: “Red Mug”: A handle has/),
    expect.stringMatching(/^4: “0”: A height/),
  ]);
});

test('what a list says for shops goes with it, and with the next list; numbers that a person sees stay', async () => {
  const chosen = ['m1.jpg', 'm2.jpg'].map((path) => ({ ...photo(path), sku: '', words: '' }) as Photo);
  const first = applyList(await rows('file,sku,asin\nm1.jpg,A,B000123456\nm2.jpg,B,B000123457\n'), chosen, null);
  expect(first.map(({ sku, facts }) => [sku, facts?.asin])).toEqual([
    ['A', 'B000123456'],
    ['B', 'B000123457'],
  ]);
  const next = applyList(await rows('file,asin\nm1.jpg,B000999999\n'), first, null);
  expect(next.map(({ sku, facts }) => [sku, facts?.asin])).toEqual([
    ['A', 'B000999999'],
    ['B', undefined],
  ]);
  expect(applyList([], next, null).map(({ sku, facts }) => [sku, facts])).toEqual([
    ['A', {}],
    ['B', {}],
  ]);
  // More photos come: the others keep what they had.
  expect(applyList([], first, new Set(['m2.jpg'])).map(({ facts }) => facts?.asin)).toEqual(['B000123456', undefined]);
});

test('photos stand in the order of their list, and what it does not name comes after them, as it was chosen', async () => {
  const chosen = ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map(
    (path, place) => ({ ...photo(path), sku: '', words: '', addedAt: 1, place }) as Photo,
  );
  const listed = inOrder(applyList(await rows('file\n3.jpg\n1.jpg\n'), chosen, null));
  expect(listed.map(({ id }) => id)).toEqual(['3.jpg', '1.jpg', '2.jpg', '4.jpg']);
  expect(inOrder(applyList([], listed, null)).map(({ id }) => id)).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg']);
});

test('a list without the column file is none', async () => {
  expect(await readList(csv('M-01,m1.jpg\nM-02,m2.jpg\n'))).toBeNull();
  expect(await readList(csv(''))).toBeNull();
});

test('photos are found by name, with or without folders and ending, in capitals or not', async () => {
  const text = 'sku,file,prompt\nA,RED/Mug,\nB,mug.PNG,\nC,blue\\vase.jpg,\nD,cafe\u0301,\n';
  const { listed, problems } = await match(text, [
    'red/mug.jpg',
    'mug.png',
    'blue/vase.jpg',
    'green/vase.jpg',
    'café.webp',
  ]);
  expect([...listed].map(([id, { sku }]) => `${sku} ${id}`)).toEqual([
    'A red/mug.jpg',
    'B mug.png',
    'C blue/vase.jpg',
    'D café.webp',
  ]);
  expect(problems).toEqual([{ line: null, says: '1 photo is not in the list: green/vase.jpg.' }]);
});

test('each thing that is wrong is said with its line', async () => {
  const text = [
    'sku,file,prompt',
    'M-01,m1.jpg,',
    'M-01,m2.jpg,',
    'M 3,m3.jpg,',
    'M-04,none.jpg,',
    'M-05,m1.jpg,',
    'M-06,mug,',
    `M-07,m4.jpg,${'x'.repeat(2001)}`,
    'M-08,,words',
  ].join('\n');
  const photos = ['m1.jpg', 'm2.jpg', 'm3.jpg', 'm4.jpg', 'mug.jpg', 'mug.png'];
  const result = await match(text, photos);
  expect(said(result)).toEqual([
    '3: The SKU M-01 is already in line 2.',
    '4: Use letters, digits, dots, dashes and underscores in the SKU.',
    '5: There is no photo “none.jpg”.',
    '6: “m1.jpg” is already in line 2.',
    '7: “mug” fits mug.jpg, mug.png. Write the whole name.',
    '8: The description must be at most 2000 characters long',
    '9: No file is named.',
    'null: 2 photos are not in the list: mug.jpg, mug.png.',
  ]);
  expect(result.listed.size).toBe(4);
});

test('of many photos that are not in the list, some are named', async () => {
  const result = await match(
    'sku,file,prompt\n',
    Array.from({ length: 12 }, (_none, at) => `m${at}.jpg`),
  );
  expect(said(result)).toEqual([
    'null: 12 photos are not in the list: m0.jpg, m1.jpg, m2.jpg, m3.jpg, m4.jpg and 7 more.',
  ]);
});

test('what the server would refuse is found before anything is sent', () => {
  const made = (id: string, part: object = {}) => ({
    id,
    name: `${id}.jpg`,
    type: 'image/jpeg',
    bytes: 1000,
    sku: '',
    words: '',
    ...part,
  });
  const photos = [
    made('good', { sku: 'A' }),
    made('twice', { sku: 'A' }),
    made('spaced', { sku: 'A B' }),
    made('apple', { type: 'image/heic' }),
    made('large', { bytes: 12_582_913 }),
    made('empty', { bytes: 0 }),
    made('wordy', { words: 'x'.repeat(2001) }),
    made('plain'),
  ];
  const problems = findPhotoProblems(photos, tools['text-to-image'], undefined);
  expect([...problems].map(([id, { says, about }]) => `${id}, ${about}: ${says}`)).toEqual([
    'twice, sku: good.jpg has this SKU, too.',
    'spaced, sku: Use letters, digits, dots, dashes and underscores in the SKU.',
    expect.stringMatching(/^apple, file: Please select an image file \(JPEG, PNG, or WebP\)\. This photo is HEIC: /),
    'large, file: Image file size must be less than 12MB',
    'empty, file: Failed to read image file. Please try again.',
    'wordy, words: The description must be at most 2000 characters long',
  ]);
  expect(findPhotoProblems(photos, tools.remover, undefined).has('wordy')).toBe(false);
});
