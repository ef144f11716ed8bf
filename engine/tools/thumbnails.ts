/**
 * Makes the small pictures of the scenes to pick from: `node engine/tools/thumbnails.ts` writes one of each plate into
 * `engine/assets/thumbnails`.
 */
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { platePath } from '../src/scenes/plates.ts';
import { listScenes, THUMBNAIL_SIDE, THUMBNAILS } from '../src/scenes/strip.ts';

const QUALITY = 78;

await rm(THUMBNAILS, { recursive: true, force: true });
await mkdir(THUMBNAILS);
for (const { id } of listScenes()) {
  await sharp(platePath(id))
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE)
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(fileURLToPath(new URL(`${id}.webp`, THUMBNAILS)));
}
