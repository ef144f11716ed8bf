// Photos from outdoors: clothes laid on stones, where prints and buttons stand out more than the clothes, and people before hills.
import { estimateForeground } from '../src/matting/foreground.ts';
import { decodePicture, shrinkPicture } from '../src/pixels/decode.ts';
import { makeNoise } from '../src/pixels/noise.ts';
import { readSample, shootByPhone, type Sample } from './composites.ts';
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

export function outdoorCases(): Case[] {
  return [...stonesCases(), ...hillsCases()];
}

function stonesCases(): Case[] {
  const stones = Object.keys(STONES) as (keyof typeof STONES)[];
  return GARMENTS.flatMap((name) =>
    stones.map((kind) => ({
      name: `${name} on ${kind}, phone`,
      class: 'stones phone',
      make: async () => shootByPhone(await layOnStones(name, kind), SEED),
    })),
  );
}

const PEOPLE = ['person-nora', 'person-tom'];

function hillsCases(): Case[] {
  return PEOPLE.map((name) => ({
    name: `${name} before hills, phone`,
    class: 'hills phone',
    make: async () => shootByPhone(standBeforeHills(await readSample(name, SIDE)), SEED),
  }));
}

/** Sky, blue hills, brown woods and a meadow. */
function standBeforeHills(sample: Sample): Sample {
  const noise = makeNoise(SEED);
  const { height } = sample.picture;
  return putBefore(sample, (x, y) => {
    const v = y / height;
    const rough = 1 + 0.5 * noise.sum(x / 30, y / 30, 4);
    const ridge = 0.04 * noise.sum(x / 90, 0, 3);
    if (v < 0.22 + ridge) return [222, 222, 216];
    if (v < 0.36 + ridge) return [128 * rough, 136 * rough, 156 * rough];
    if (v < 0.55 - ridge) return [168 * rough, 112 * rough, 66 * rough];
    return [92 * rough, 116 * rough, 44 * rough];
  });
}

async function layOnStones(name: string, kind: keyof typeof STONES): Promise<Sample> {
  const picture = await shrinkPicture(await decodePicture(samplePath(`garment-${name}`), 'image_url'), SIDE);
  const { seed, grey, range, size, octaves } = STONES[kind];
  const noise = makeNoise(seed);
  return putBefore({ picture, alpha: await readTruth(`garment-${name}`, picture) }, (x, y) => {
    const stone = grey + range * noise.sum(x / size, y / size, octaves);
    return [stone, stone, stone];
  });
}

function putBefore(
  { picture, alpha }: Sample,
  paint: (x: number, y: number) => readonly [number, number, number],
): Sample {
  const { width, height } = picture;
  const front = estimateForeground(picture, alpha);
  const rgb = new Uint8ClampedArray(front.length);
  for (let i = 0; i < alpha.length; i += 1) {
    const x = i % width;
    const behind = paint(x, (i - x) / width);
    for (let c = 0; c < 3; c += 1) rgb[i * 3 + c] = front[i * 3 + c]! * alpha[i]! + behind[c]! * (1 - alpha[i]!);
  }
  return { picture: { width, height, rgb: new Uint8Array(rgb.buffer) }, alpha };
}
