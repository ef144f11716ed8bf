import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readCutout } from '../../test/cutouts.ts';
import { startThreads } from './threads.ts';

// Drawing it here would take this thread most of a second; handing it over takes a few hundredths of one.
const MOST_HERE_MS = 200;

it(
  'the event loop goes on while a cut-out of 12 megapixels becomes a file',
  { tags: ['slow'], timeout: 60_000 },
  async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const cutout = await sharp(await readCutout('mug'))
      .resize(4000, 3000, { fit: 'contain', background: clear })
      .png({ compressionLevel: 1 })
      .toBuffer();
    const threads = startThreads();
    try {
      const before = process.threadCpuUsage();
      const rendered = await threads.render({ content: cutout, pack: 'amazon-main', wish: { look: null, share: 1 } });
      const { user, system } = process.threadCpuUsage(before);
      expect(rendered).toHaveProperty('content');
      expect((user + system) / 1000).toBeLessThan(MOST_HERE_MS);
    } finally {
      await threads.stop();
    }
  },
);
