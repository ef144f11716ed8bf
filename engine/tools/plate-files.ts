import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { toBytes } from '../src/pixels/colour.ts';
import { MASK_SIZE, PLATE_SIZE } from '../src/scenes/plates.ts';

const FOLDER = new URL('../assets/plates/', import.meta.url);
const QUALITY = 80;

/** Writes a plate's picture (linear light, interleaved) and its mask (wall, surface, ground) under its own name. */
export async function writePlate(
  id: string,
  light: Float32Array,
  mask: { name: string; bytes: Buffer },
): Promise<void> {
  const size = { width: PLATE_SIZE, height: PLATE_SIZE, channels: 3 } as const;
  await sharp(Buffer.from(toBytes(light)), { raw: size })
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(fileURLToPath(new URL(`${id}.webp`, FOLDER)));
  await sharp(mask.bytes, { raw: { width: MASK_SIZE, height: MASK_SIZE, channels: 3 } })
    .png({ compressionLevel: 9, palette: false })
    .toFile(fileURLToPath(new URL(mask.name, FOLDER)));
}
