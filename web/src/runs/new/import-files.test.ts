import { expect, onTestFinished, test, vi } from 'vitest';
import { RUN_MAX_ITEMS } from '@plinth/contract/runs';
import { putPhotos } from '../photo-actions.ts';
import { usePhotos } from '../photos.ts';
import { importFiles } from './import-files.ts';

const found = (name: string, type: string) => ({ file: new File(['x'], name, { type }), path: name });
const notesOf = async (...names: string[]) => {
  const others = names.map((name) => found(name, 'application/pdf'));
  return (await importFiles([found('mug.jpg', 'image/jpeg'), ...others], [], () => {})).notes;
};

test('what is left out is named, with the reason', async () => {
  expect(await notesOf()).toEqual([]);
  const why = 'left out: only photos and one CSV list can be used here.';
  expect(await notesOf('prices.pdf')).toEqual([`prices.pdf was ${why}`]);
  expect(await notesOf('a.pdf', 'b.pdf')).toEqual([`a.pdf and b.pdf were ${why}`]);
  expect(await notesOf('a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf')).toEqual([
    `a.pdf, b.pdf, c.pdf and 2 more were ${why}`,
  ]);
  const table = { file: new File(['sku,file\nM-01,mug.jpg'], 'list.csv', { type: 'text/csv' }), path: 'list.csv' };
  const { list, notes } = await importFiles([table, found('notes.txt', 'text/plain')], [], () => {});
  expect([list?.name, notes]).toEqual(['list.csv', [`notes.txt was ${why}`]]);
});

test('of a folder that is too large no more is decoded than there is room for', async () => {
  const decode = vi.fn(() => Promise.reject(new Error('no decoder')));
  vi.stubGlobal('createImageBitmap', decode);
  onTestFinished(() => void vi.unstubAllGlobals());
  const all = Array.from({ length: RUN_MAX_ITEMS + 20 }, (_none, at) => found(`${at}.heic`, 'image/heic'));
  const report = vi.fn();
  const { photos, notes } = await importFiles([found('.DS_Store', ''), ...all.toReversed()], [], report);
  expect(report.mock.calls).toEqual(all.map((_one, read) => [{ read, all: all.length }]));
  expect([photos.length, photos.at(-1)?.name, decode.mock.calls.length]).toEqual([RUN_MAX_ITEMS, '499.heic', 500]);
  expect(notes).toEqual([
    'A catalogue has at most 500 photos. 500.heic, 501.heic, 502.heic and 17 more were left out.',
  ]);
});

test('a list that cannot be read is not said to lack its columns', async () => {
  const list = found('mugs.csv', 'text/csv');
  list.file.arrayBuffer = () => Promise.reject(new Error('gone'));
  expect(await importFiles([list], [], () => {})).toMatchObject({
    list: null,
    notes: ['mugs.csv could not be read. Try it again.'],
  });
  const { notes } = await importFiles([found('mugs.csv', 'text/csv')], [], () => {});
  expect(notes).toEqual(['The first line of mugs.csv must name the columns: sku, file, prompt.']);
});

test('photos keep the order of their names, whichever of them is read first', async () => {
  const slow = found('mug-1.jpg', 'image/jpeg');
  slow.file.stream = () => new ReadableStream({ start: (to) => void setTimeout(() => to.close(), 20) });
  const { photos } = await importFiles([found('mug-2.jpg', 'image/jpeg'), slow], [], () => {});
  putPhotos(photos);
  expect(usePhotos.getState().photos.map(({ name }) => name)).toEqual(['mug-1.jpg', 'mug-2.jpg']);
});

test('what a photo is its bytes say, whatever its name promises, and what nobody can read is known', async () => {
  const gif = new File(['GIF89a\u0050\u0000\u0040\u0000\u0000'], 'mug-1.jpg', { type: 'image/jpeg' });
  const { photos } = await importFiles([{ file: gif, path: gif.name }, found('mug-2.jpg', 'image/jpeg')], [], () => {});
  expect(photos.map(({ type, size }) => [type, size])).toEqual([
    ['image/gif', { width: 80, height: 64 }],
    ['image/jpeg', null],
  ]);
});
