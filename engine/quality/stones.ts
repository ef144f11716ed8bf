// Clothes laid on stones, where prints and buttons stand out more than the clothes that they are on.
import { estimateForeground } from '../src/matting/foreground.ts';
import { decodePicture, shrinkPicture } from '../src/pixels/decode.ts';
import { makeNoise } from '../src/pixels/noise.ts';
import { shootByPhone, type Sample } from './composites.ts';
import { readTruth, samplePath } from './people.ts';
import type { Case } from './removal.ts';

const SIDE = 640;
const SEED = 3;
const GARMENTS = ['tshirt', 'striped', 'jacket'];

/** Mean grey, how far it varies, pixels to a stone, octaves of roughness. */
const STONES = {
  gravel: { seed: 5, grey: 110, range: 120, size: 14, octaves: 4 },
  pebbles: { seed: 6, grey: 125, range: 95, size: 9, octaves: 3 },
};

export function stonesCases(): Case[] {
  const stones = Object.keys(STONES) as (keyof typeof STONES)[];
  return GARMENTS.flatMap((name) =>
    stones.map((kind) => ({
      name: `${name} on ${kind}, phone`,
      class: 'stones phone',
      make: async () => shootByPhone(await layOnStones(name, kind), SEED),
    })),
  );
}

async function layOnStones(name: string, kind: keyof typeof STONES): Promise<Sample> {
  const picture = await shrinkPicture(await decodePicture(samplePath(`garment-${name}`), 'image_url'), SIDE);
  const { width, height } = picture;
  const alpha = await readTruth(`garment-${name}`, picture);
  const front = estimateForeground(picture, alpha);
  const { seed, grey, range, size, octaves } = STONES[kind];
  const noise = makeNoise(seed);
  const rgb = new Uint8ClampedArray(front.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const x = i % width;
    const stone = grey + range * noise.sum(x / size, (i - x) / width / size, octaves);
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = front[i * 3 + c]! * alpha[i]! + stone * (1 - alpha[i]!);
  }
  return { picture: { width, height, rgb: new Uint8Array(rgb.buffer) }, alpha };
}
