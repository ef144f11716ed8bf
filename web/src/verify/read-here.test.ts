import { UnreadableFileError } from '@plinth/contract/signed-file';
import { afterEach, expect, test, vi } from 'vitest';
import { canVerify, readHere } from './read-here.ts';

afterEach(() => vi.unstubAllGlobals());

test('a file is read by its bytes, whatever it is called', async () => {
  const jpeg = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 0])], 'mug.png', { type: 'image/png' });
  expect(await readHere(jpeg, [])).toEqual({
    ...{ made: false, by: null, changed: null, signed: 'none', type: null, chain: [] },
  });
  await expect(readHere(new File(['no picture'], 'mug.png'), [])).rejects.toThrow(UnreadableFileError);
});

test('a browser can verify where it knows the signature, and not over plain HTTP', async () => {
  expect(await canVerify()).toBe(true);
  vi.stubGlobal('crypto', {});
  expect(await canVerify()).toBe(false);
  vi.stubGlobal('crypto', { subtle: { importKey: () => Promise.reject(new Error('NotSupportedError')) } });
  expect(await canVerify()).toBe(false);
});
