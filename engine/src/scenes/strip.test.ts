import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readBrief } from './brief.ts';
import { chooseScene } from './choose.ts';
import { findThumbnail, listScenes } from './strip.ts';
import { reportUnderstood } from './understood.ts';

describe('the strip of scenes', () => {
  it.each(listScenes().map(({ id, words }) => [words, id]))('"%s" leads to %s and all of it is shown', (words, id) => {
    const brief = readBrief(words);
    const { plate } = chooseScene(brief, 0);
    expect(plate.id).toBe(id);
    expect(reportUnderstood(brief, plate).notDrawn).toEqual([]);
  });

  it('has a small picture of each scene, and none of anything else', async () => {
    const sizes = await Promise.all(listScenes().map(async ({ id }) => sharp(await findThumbnail(id)).metadata()));
    expect(new Set(sizes.map(({ width, height, format }) => `${width}x${height} ${format}`))).toEqual(
      new Set(['320x320 webp']),
    );
    expect(findThumbnail('../plates')).toBeUndefined();
    expect(findThumbnail('nowhere')).toBeUndefined();
  });
});
