import { expect, test } from 'vitest';
import { IMAGE_MAX_BYTES } from '@plinth/contract/limits';
import { tools } from '@plinth/contract/tools';
import { checkImage } from './pick-photo.ts';

const field = tools['text-to-image'].fields.image;
const square = async () => ({ width: 800, height: 800 });
const file = (bytes: number, type = 'image/png') => new File([new Uint8Array(bytes)], 'a.png', { type });

test.each([
  ['text', file(10, 'text/plain'), 'Please select an image file (JPEG, PNG, or WebP)'],
  ['a picture of another type', file(10, 'image/gif'), 'Please select an image file (JPEG, PNG, or WebP)'],
  ['one byte too many', file(IMAGE_MAX_BYTES + 1), 'Image file size must be less than 12MB'],
  ['an empty file', file(0), 'Failed to read image file. Please try again.'],
])('%s is refused', async (_what, given, sentence) => {
  expect(await checkImage(given, field, square)).toEqual({ image: null, refusal: sentence });
});

test('exactly 12 MB is taken', async () => {
  const given = file(IMAGE_MAX_BYTES);
  expect(await checkImage(given, field, square)).toEqual({
    image: { file: given, width: 800, height: 800 },
    refusal: null,
  });
});

test.each([
  ['that cannot be decoded', () => Promise.reject(new Error('no picture'))],
  ['with a side above 16384 px', async () => ({ width: 16_385, height: 20 })],
  ['above 64 million pixels', async () => ({ width: 8001, height: 8000 })],
])('a file %s is refused as unreadable', async (_what, measure) => {
  const { refusal } = await checkImage(file(10), field, measure);
  expect(refusal).toBe('Failed to load image. Please try another file.');
});

test('a picture that is too small is told the least size', async () => {
  const { refusal } = await checkImage(file(10), field, async () => ({ width: 15, height: 400 }));
  expect(refusal).toBe('Use a picture of at least 16 pixels on each side.');
});
