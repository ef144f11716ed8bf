import { readFileSync } from 'node:fs';
import { listEncodings, readSquares } from '../../server/test/encodings.ts';
import { expect, test } from '../support/journey.ts';

const COLOURS = new URL('../../server/test/chromium-colours.json', import.meta.url);

test('the reference colours for uploads are those that this browser paints @slow', async ({ page }) => {
  await page.goto('/');
  const known = JSON.parse(readFileSync(COLOURS, 'utf8')) as Record<string, number[][]>;
  for (const [name, content] of Object.entries(await listEncodings())) {
    const pixels = await page.evaluate(
      async (bytes) => {
        const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d', { colorSpace: 'srgb' });
        context?.drawImage(bitmap, 0, 0);
        return [...(context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [])];
      },
      [...content],
    );
    const painted = readSquares(Uint8Array.from(pixels), 4).flat();
    const differences = known[name]?.flat().map((value, at) => Math.abs(value - (painted[at] ?? NaN))) ?? [NaN];
    // Browser versions round differently.
    expect.soft(Math.max(...differences), name).toBeLessThanOrEqual(2);
  }
});
