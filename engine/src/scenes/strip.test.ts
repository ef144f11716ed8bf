import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { chooseScene } from './choose.ts';
import { listPlates } from './plates.ts';
import { reportUnderstood } from '../words/report.ts';

const PLATES = new URL('../../assets/plates/', import.meta.url);
const THUMBNAILS = new URL('../../assets/thumbnails/', import.meta.url);

describe('the scene picker', () => {
  it.each(listPlates().map(({ id, says }) => [says, id]))('"%s" selects %s and is drawn completely', (words, id) => {
    const brief = readBrief(words);
    const plate = chooseScene(brief);
    expect(plate.id).toBe(id);
    expect(reportUnderstood(brief, plate).notDrawn).toEqual([]);
  });

  it('has a true thumbnail of each scene, and no others', { tags: ['slow'] }, async () => {
    const side = 16;
    const readPixels = async (picture: string) => [
      ...(await sharp(picture).resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer()),
    ];
    for (const { id, files } of listPlates()) {
      const thumbnail = fileURLToPath(new URL(`${id}.webp`, THUMBNAILS));
      const { width, height, format } = await sharp(thumbnail).metadata();
      expect([id, width, height, format]).toEqual([id, 320, 320, 'webp']);
      const [small, whole] = [
        await readPixels(thumbnail),
        await readPixels(fileURLToPath(new URL(files.image, PLATES))),
      ];
      const difference = small.reduce((sum, value, at) => sum + Math.abs(value - whole[at]!), 0) / small.length;
      expect(difference, id).toBeLessThan(3);
    }
    expect(await readdir(THUMBNAILS)).toHaveLength(listPlates().length);
  });
});
