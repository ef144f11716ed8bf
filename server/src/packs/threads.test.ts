import { monitorEventLoopDelay } from 'node:perf_hooks';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readCutout } from '../../test/cutouts.ts';
import { startThreads } from './threads.ts';

// Drawing it here would hold the loop for most of a second; a busy machine alone holds it for a tenth of one.
const MOST_HELD_MS = 300;

it('the event loop goes on while a cut-out of 12 megapixels becomes a file', { timeout: 60_000 }, async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const cutout = await sharp(await readCutout('mug'))
    .resize(4000, 3000, { fit: 'contain', background: clear })
    .png({ compressionLevel: 1 })
    .toBuffer();
  const threads = startThreads();
  const held = monitorEventLoopDelay({ resolution: 5 });
  try {
    held.enable();
    const rendered = await threads.render({ content: cutout, pack: 'amazon-main', wish: { look: null, share: 1 } });
    held.disable();
    expect(rendered).toHaveProperty('content');
    expect(held.max / 1e6).toBeLessThan(MOST_HELD_MS);
    expect(held.count).toBeGreaterThan(10);
  } finally {
    await threads.stop();
  }
});
