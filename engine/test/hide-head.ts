import { join } from 'node:path';
import sharp from 'sharp';

/** Writes a copy of a photo whose upper three fifths are fully transparent but keep their colours. */
export async function hideHead(photo: string, folder: string): Promise<string> {
  const path = join(folder, 'hidden.png');
  const { width, height } = await sharp(photo).metadata();
  const alpha = Buffer.alloc(width * height, 255).fill(0, 0, width * Math.round(0.6 * height));
  await sharp(photo)
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(path);
  return path;
}
