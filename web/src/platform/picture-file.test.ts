import { afterEach, expect, test, vi } from 'vitest';
import { IMAGE_MAX_BYTES } from '@plinth/contract/limits';
import { isHeic, readPictureFile } from './picture-file.ts';

const HEIC = '\0\0\0\x18ftypheic\0\0\0\0';
const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const file = (text: string, name: string, type = '') => new File([bytes(text)], name, { type });

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['\xff\xd8\xff\xe0 and so on', 'image/jpeg'],
  ['\x89PNG\r\n\x1a\n and so on', 'image/png'],
  ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
  [HEIC, 'image/heic'],
  ['%PDF-1.7', ''],
  ['', ''],
])('a file without an ending is judged by its first bytes: %j', async (text, type) => {
  expect((await readPictureFile(file(text, 'photo'))).type).toBe(type);
});

test('what has a type keeps it, and its bytes', async () => {
  const given = file('anything', 'a.png', 'image/png');
  expect(await readPictureFile(given)).toBe(given);
});

/** A browser that decodes HEIC, and whose JPEGs have these sizes, one after the other. */
function decodeHeic(...sizes: number[]): { qualities: number[] } {
  const qualities: number[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width: 8, height: 6, close() {} }));
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      getContext() {
        return { drawImage() {} };
      }
      async convertToBlob({ type, quality }: { type: string; quality: number }) {
        qualities.push(quality);
        return new Blob([new Uint8Array(sizes.shift() ?? 0)], { type });
      }
    },
  );
  return { qualities };
}

test('a HEIC photo becomes a JPEG below the limit where the browser decodes it', async () => {
  const { qualities } = decodeHeic(IMAGE_MAX_BYTES + 1, 900);
  const taken = await readPictureFile(file(HEIC, 'IMG_1.HEIC', 'image/heic'));
  expect([taken.name, taken.type, taken.size]).toEqual(['IMG_1.jpg', 'image/jpeg', 900]);
  expect(qualities).toHaveLength(2);
});

test('elsewhere, or where it stays too large, it stays what it is', async () => {
  expect(isHeic(await readPictureFile(file(HEIC, 'a.heic')))).toBe(true);
  decodeHeic(IMAGE_MAX_BYTES + 1, IMAGE_MAX_BYTES + 1);
  expect(isHeic(await readPictureFile(file(HEIC, 'a.heic')))).toBe(true);
});
