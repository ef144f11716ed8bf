import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readCutout } from '../../test/cutouts.ts';
import { waitUntil } from '../../test/makers.ts';
import { startThreads } from './threads.ts';

// Rendering on this thread takes most of a second; handing it over takes a few hundredths.
const MAX_MAIN_THREAD_MS = 200;

it(
  'the event loop stays responsive while a cut-out of 12 megapixels becomes a file',
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
      const rendered = await threads.render({
        content: cutout,
        pack: 'amazon-main',
        look: null,
      });
      const { user, system } = process.threadCpuUsage(before);
      expect(rendered).toHaveProperty('content');
      expect((user + system) / 1000).toBeLessThan(MAX_MAIN_THREAD_MS);
    } finally {
      await threads.stop();
    }
  },
);

it('a picture that takes too long is aborted, and the next one gets its thread', { tags: ['slow'] }, async () => {
  const job = { content: await readCutout('mug'), pack: 'amazon-main', look: null } as const;
  const large = await sharp(job.content).resize(6000, 6000, { fit: 'fill' }).png({ compressionLevel: 1 }).toBuffer();
  const threads = startThreads(5000);
  try {
    const late = Promise.all(Array.from({ length: 40 }, () => threads.measure({ content: large, mask: undefined })));
    await expect(late).rejects.toMatchObject({ code: 'temporarily_unavailable' });
    // On a busy machine this one may time out, too.
    await waitUntil(
      () => threads.render(job).catch(() => undefined),
      (rendered) => rendered !== undefined,
    );
  } finally {
    await threads.stop();
  }
});
