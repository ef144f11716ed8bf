/**
 * Ten people in photos that differ in light, wall, noise, side and crop: for the judge of headshots and dress changes.
 */
import sharp, { type Sharp } from 'sharp';
import { findFaces, type Face } from '../src/people/faces.ts';
import { readPicture } from '../src/pixels/decode.ts';
import { toLab } from '../src/pixels/colour.ts';
import { makeRandom } from '../src/pixels/random.ts';
import { portraitPath, readTruth, samplePath } from './people.ts';

/** Which half of the photos a row belongs to: rules are chosen on `tune` only. */
export type Half = 'tune' | 'judge';

const FACES = ['face-li', 'face-nora', 'face-tom'].map(samplePath);
export const USERS = [...FACES, ...[1, 2, 3, 4, 5, 6, 7].map(portraitPath)];

/** A seller's photo of the n-th of the ten faces; odd seeds judge, even ones tune. */
export async function varyFace(n: number, seed: number, file: string): Promise<string> {
  const random = makeRandom(1000 * n + seed);
  const source = USERS[n]!;
  const { width, height } = await sharp(source).metadata();
  const cut = Math.round(0.06 * random() * width);
  const grown = n < FACES.length ? 2 : 1; // the sample faces are small
  const seen = sharp(source)
    .extract({ left: cut, top: 0, width: width - 2 * cut, height })
    .resize({ width: grown * (width - 2 * cut) });
  await spoil(seen, random, file);
  return file;
}

/** Uneven light, another white balance, noise, sometimes mirrored: what phones and rooms do to photos. */
async function spoil(photo: Sharp, random: () => number, file: string): Promise<{ isMirrored: boolean }> {
  const isMirrored = random() > 0.5;
  const { data, info } = await (isMirrored ? photo.flop() : photo)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bright = 0.75 + 0.4 * random();
  const warm = 0.1 * (random() - 0.5);
  const slope = { x: 0.4 * (random() - 0.5), y: 0.4 * (random() - 0.5) };
  const noise = 10 * random() ** 2;
  for (let i = 0; i < info.width * info.height; i += 1) {
    const x = (i % info.width) / info.width - 0.5;
    const y = Math.floor(i / info.width) / info.height - 0.5;
    const light = bright * (1 + slope.x * x + slope.y * y);
    const grain = noise * (random() + random() - 1);
    for (const [c, tint] of [1 + warm, 1, 1 - warm].entries()) {
      data[i * 3 + c] = Math.min(255, Math.max(0, Math.round(data[i * 3 + c]! * light * tint + grain)));
    }
  }
  const raw = { raw: { width: info.width, height: info.height, channels: 3 as const } };
  await sharp(data, raw)
    .jpeg({ quality: 70 + Math.round(25 * random()) })
    .toFile(file);
  return { isMirrored };
}

/** What is drawn over a face, in units of its box: nothing can be made of it. */
export const FACE_TRAPS: Record<string, (face: Face) => string> = {
  'a cap over the forehead': ({ box: { left, top, width, height } }) =>
    `<path fill="#24324a" d="M${left - 0.15 * width} ${top + 0.24 * height} q${0.65 * width} ${-0.22 * height} ${1.3 * width} 0 v${-0.35 * height} q${-0.65 * width} ${-0.9 * height} ${-1.3 * width} 0z"/>`,
  sunglasses: (face) => drawGlasses(face, '#16181c', 1),
  'glasses with glare': (face) => drawGlasses(face, '#f4f7fb', 0.82),
  'a fringe over the eyes': ({ box: { left, top, width, height } }) =>
    `<path fill="#3a271c" d="M${left - 0.05 * width} ${top - 0.2 * height} h${1.1 * width} v${0.52 * height} q${-0.55 * width} ${0.06 * height} ${-1.1 * width} 0z"/>`,
};

function drawGlasses({ points, box }: Face, fill: string, opacity: number): string {
  const lens = ([one, other]: [number, number]) => {
    const x = (points[one]!.x + points[other]!.x) / 2;
    const y = (points[one]!.y + points[other]!.y) / 2;
    return `<ellipse cx="${x}" cy="${y}" rx="${0.19 * box.width}" ry="${0.12 * box.height}" fill="${fill}" fill-opacity="${opacity}" stroke="#222" stroke-width="${0.02 * box.width}"/>`;
  };
  return lens([33, 133]) + lens([263, 362]);
}

export async function trapFace(photo: string, trap: string, file: string): Promise<string> {
  const [face] = await findFaces(await readPicture(photo, 'photo'));
  const { width, height } = await sharp(photo).metadata();
  if (!face) throw new Error('no face to hide');
  const shape = `<svg width="${width}" height="${height}">${FACE_TRAPS[trap]!(face)}</svg>`;
  await sharp(photo)
    .composite([{ input: Buffer.from(shape) }])
    .jpeg({ quality: 88 })
    .toFile(file);
  return file;
}

/** Ten people from head to hips: three bodies in ten skins, shirts and rooms. `wall` and `shirt` are sRGB. */
export type Dressed = {
  body: 'li' | 'nora' | 'tom';
  /** Factor on the skin's light. */
  skin: [number, number, number];
  shirt: [number, number, number];
  wall: [number, number, number];
  pattern: 'plain' | 'boards' | 'paper';
};

export const DRESSED: Dressed[] = [
  { body: 'li', skin: [1, 1, 1], shirt: [96, 128, 110], wall: [182, 184, 186], pattern: 'plain' },
  { body: 'nora', skin: [1, 1, 1], shirt: [236, 236, 234], wall: [150, 170, 160], pattern: 'plain' },
  { body: 'tom', skin: [0.45, 0.36, 0.3], shirt: [190, 60, 50], wall: [205, 200, 190], pattern: 'boards' },
  { body: 'li', skin: [0.3, 0.22, 0.18], shirt: [240, 205, 70], wall: [120, 140, 165], pattern: 'plain' },
  { body: 'nora', skin: [0.55, 0.45, 0.38], shirt: [40, 44, 52], wall: [214, 205, 200], pattern: 'paper' },
  { body: 'tom', skin: [1.1, 1.05, 1], shirt: [70, 90, 150], wall: [235, 235, 232], pattern: 'plain' },
  { body: 'li', skin: [0.75, 0.66, 0.58], shirt: [225, 225, 228], wall: [224, 224, 226], pattern: 'plain' },
  { body: 'nora', skin: [0.9, 0.82, 0.76], shirt: [150, 120, 170], wall: [190, 150, 120], pattern: 'boards' },
  { body: 'tom', skin: [0.8, 0.7, 0.62], shirt: [150, 152, 150], wall: [156, 158, 158], pattern: 'paper' },
  { body: 'li', skin: [1, 0.94, 0.88], shirt: [170, 200, 215], wall: [90, 80, 76], pattern: 'plain' },
];

/** What no garment can be put on. */
export const DRESS_TRAPS: Record<string, string> = {
  'crossed arms':
    '<g stroke-linecap="round" stroke-width="62" fill="none"><path stroke="SHADE" d="M255 690L560 600"/><path stroke="SKIN" d="M650 690L350 610"/></g>',
  'a bulky suit':
    '<path fill="#d8dde2" d="M380 400 C300 390 160 440 110 560 C60 700 70 900 120 980 L200 990 L240 1180 L660 1180 L700 990 L780 980 C830 900 840 700 790 560 C740 440 600 390 520 400 L520 450 L380 450Z"/>',
  'a bag held before the body':
    '<path fill="#7a4a2c" d="M250 640h400v330h-400z"/><path fill="none" stroke="#5c3620" stroke-width="16" d="M340 640v-90h220v90"/>',
};

/** True masks of a photo, 0..1: the clothes on the upper body and the whole person. */
export type DressedTruth = {
  top: Float32Array;
  figure: Float32Array;
};

export async function varyDressed(n: number, seed: number, file: string, trap?: string): Promise<DressedTruth> {
  const random = makeRandom(7000 + 1000 * n + seed);
  const { body, skin, shirt, wall, pattern } = DRESSED[n]!;
  const picture = await readPicture(samplePath(`person-${body}`), 'photo');
  const { width, height } = picture;
  const figure = await readTruth(`person-${body}`, picture);
  const top = await readTruth(`top-${body}`, picture);
  const [face] = await findFaces(picture);
  const chin = face!.points[152]!;
  const at = (Math.round(chin.y - 0.12 * face!.box.height) * width + Math.round(face!.points[50]!.x)) * 3;
  const [, red, yellow] = toLab(picture.data[at]!, picture.data[at + 1]!, picture.data[at + 2]!);
  const usual = usualLight(picture.data, top);
  const out = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const [r, g, b] = [picture.data[i * 3]!, picture.data[i * 3 + 1]!, picture.data[i * 3 + 2]!];
    const [l, a, y] = toLab(r, g, b);
    const isSkin = Math.max(0, 1 - Math.hypot((a - red) / 20, (y - yellow) / 20, Math.min(0, l - 35) / 10));
    const light = (0.3 * r + 0.59 * g + 0.11 * b) / usual;
    const behind = paintWall(pattern, i % width, Math.floor(i / width));
    for (let c = 0; c < 3; c += 1) {
      const bare = picture.data[i * 3 + c]! * (1 + (skin[c]! ** (1 / 2.2) - 1) * Math.min(1, 3 * isSkin));
      const own = bare + top[i]! * (Math.min(255, shirt[c]! * light) - bare);
      out[i * 3 + c] = Math.min(255, Math.round(wall[c]! * behind * (1 - figure[i]!) + own * figure[i]!));
    }
  }
  let photo = sharp(out, { raw: { width, height, channels: 3 } });
  if (trap !== undefined) {
    const tone = [0, 1, 2].map((c) => Math.min(255, Math.round(picture.data[at + c]! * skin[c]! ** (1 / 2.2))));
    const shade = tone.map((value) => Math.round(0.75 * value));
    const drawn = DRESS_TRAPS[trap]!.replace('SKIN', `rgb(${tone.join()})`).replace('SHADE', `rgb(${shade.join()})`);
    const shape = Buffer.from(`<svg width="900" height="1200">${drawn}</svg>`);
    photo = sharp(
      await photo
        .composite([{ input: shape }])
        .png()
        .toBuffer(),
    );
  }
  const cut = Math.round(0.18 * random() * height); // from the legs: down to the hips stays
  const flat = await photo
    .extract({ left: 0, top: 0, width, height: height - cut })
    .png()
    .toBuffer();
  const { isMirrored } = await spoil(sharp(flat), random, file);
  const turn = (mask: Float32Array) => {
    const seen = mask.subarray(0, width * (height - cut));
    return isMirrored ? seen.map((_, i) => seen[i + width - 1 - 2 * (i % width)]!) : seen;
  };
  return { top: turn(top), figure: turn(figure) };
}

function usualLight(rgb: Uint8Array, mask: Float32Array): number {
  const light: number[] = [];
  for (let i = 0; i < mask.length; i += 7) {
    if (mask[i]! > 0.9) light.push(0.3 * rgb[i * 3]! + 0.59 * rgb[i * 3 + 1]! + 0.11 * rgb[i * 3 + 2]!);
  }
  return light.sort((one, other) => one - other)[light.length >> 1]!;
}

function paintWall(pattern: Dressed['pattern'], x: number, y: number): number {
  if (pattern === 'boards') return x % 90 < 4 ? 0.7 : 1 - 0.03 * Math.sin(y / 31 + Math.floor(x / 90));
  if (pattern === 'paper') return 1 - 0.05 * Math.sin(x / 13) * Math.sin(y / 17);
  return 1 - 0.00012 * y;
}
