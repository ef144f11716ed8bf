import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { toBytes } from '../src/pixels/colour.ts';
import { MASK_SIZE, PLATE_SIZE } from '../src/scenes/plates.ts';

/** What `plates.json` says of a plate that a script of this folder made. */
export type Entry = {
  id: string;
  says: string;
  words: string[];
  shows: string[];
  view?: 'above';
  light: { azimuthDeg: number; elevationDeg: number; softness: number; ambientColor: string; shadowStrength: number };
  reflection: { strength: number; blurPx: number };
  tint: { wall: boolean; surface: boolean; allowed: boolean };
  stand: { x: number; y: number; maxWidth: number; maxHeight: number };
  camera: { focalPx: number; pitchDeg: number };
  floor: { homography: number[][] };
  pxPerMetreAtStand: number;
  seen: { wall: string; surface: string };
};

const FOLDER = new URL('../assets/plates/', import.meta.url);
const QUALITY = 80;

/** Writes the picture (linear light, interleaved), the mask (R wall, G surface) under its own name, and the entry. */
export async function writePlate(
  entry: Entry,
  light: Float32Array,
  mask: { name: string; bytes: Buffer },
): Promise<void> {
  const image = `${entry.id}.webp`;
  const size = { width: PLATE_SIZE, height: PLATE_SIZE, channels: 3 } as const;
  await sharp(Buffer.from(toBytes(light)), { raw: size })
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(fileURLToPath(new URL(image, FOLDER)));
  await sharp(mask.bytes, { raw: { width: MASK_SIZE, height: MASK_SIZE, channels: 3 } })
    .png({ compressionLevel: 9, palette: false })
    .toFile(fileURLToPath(new URL(mask.name, FOLDER)));
  enter({ ...entry, files: { image, mask: mask.name } });
}

/** One member a line, as the file was first written, so that changes can be read. */
function enter(entry: Entry & { files: { image: string; mask: string } }): void {
  const path = new URL('plates.json', FOLDER);
  const file = JSON.parse(readFileSync(path, 'utf8')) as { size: number; plates: { id: string }[]; default: string };
  const at = file.plates.findIndex(({ id }) => id === entry.id);
  file.plates.splice(at < 0 ? file.plates.length : at, at < 0 ? 0 : 1, entry);
  const plates = file.plates.map(
    (plate) =>
      `    {\n${Object.entries(plate)
        .map(([key, value]) => `      ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
        .join(',\n')}\n    }`,
  );
  writeFileSync(
    path,
    `{\n  "size": ${file.size},\n  "plates": [\n${plates.join(',\n')}\n  ],\n  "default": ${JSON.stringify(file.default)}\n}\n`,
  );
}
