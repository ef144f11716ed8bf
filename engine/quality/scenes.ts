/** How good the scenes are, measured with true masks so that only the composing is judged. */
import type { Cutout } from '../src/cutout/cut-out.ts';
import { separateLayers } from '../src/cutout/foreground.ts';
import { toBytes, toLab } from '../src/pixels/colour.ts';
import { mapBytes, mapFloats } from '../src/pixels/map.ts';
import { erode } from '../src/pixels/mask.ts';
import type { Rgb } from '../src/pixels/plane.ts';
import { showPlate } from '../src/scenes/backdrop.ts';
import { readBrief } from '../src/words/brief.ts';
import { hexToBytes } from '../src/pixels/hex.ts';
import { findContact } from '../src/scenes/contact.ts';
import { makeScene, type Scene } from '../src/scenes/make-scene.ts';
import { loadPlate } from '../src/scenes/plates.ts';
import { cropProduct } from '../src/scenes/product.ts';
import { readSample } from './composites.ts';

export type SceneCase = {
  product: string;
  prompt: string;
  /** The plate that these words must bring. */
  scene: string;
  /** A broad foot on a floor that does not mirror: here the dark line under the product can be measured. */
  hasPlainFoot?: true;
  /** A colour that must cover part of the picture. */
  colour?: string;
};

export const SCENE_CASES: SceneCase[] = [
  {
    product: 'mug',
    prompt: 'on a wooden table by the window in the morning',
    scene: 'morning-table',
    hasPlainFoot: true,
  },
  {
    product: 'dropper',
    prompt: 'elegant white marble podium with soft shadows',
    scene: 'marble-podium',
    hasPlainFoot: true,
  },
  { product: 'handbag', prompt: 'pastel pink studio with arches', scene: 'pastel-arches' },
  { product: 'teddy', prompt: 'black luxury with gold bokeh', scene: 'black-gold' },
  { product: 'kettle', prompt: 'Kitchen counter, cooking', scene: 'kitchen-counter', hasPlainFoot: true },
  { product: 'candle', prompt: 'mossy stone in a forest', scene: 'moss-stone', hasPlainFoot: true },
  { product: 'mug', prompt: 'navy background', scene: 'studio-sweep', colour: '#1f2c4f' },
  { product: 'dropper', prompt: 'on a teal podium', scene: 'colour-podium', hasPlainFoot: true },
  { product: 'kettle', prompt: 'beach, no palm trees', scene: 'beach-sand', hasPlainFoot: true },
  { product: 'teddy', prompt: "children's birthday party", scene: 'kids-nursery' },
  { product: 'mug', prompt: 'northern lights', scene: 'aurora' },
  { product: 'dropper', prompt: 'polka dots', scene: 'dots', hasPlainFoot: true },
  { product: 'mug', prompt: 'qwertz uiop', scene: 'studio-sweep', hasPlainFoot: true },
  { product: 'kettle', prompt: 'sage green wall, soft light from the left', scene: 'sage-leaf', colour: '#a9b596' },
  { product: 'handbag', prompt: 'terracotta background', scene: 'studio-sweep', colour: '#c4703f' },
  { product: 'mug', prompt: 'burgundy plaid, lumberjack cabin', scene: 'plaid', colour: '#6a1f2e' },
  { product: 'kettle', prompt: 'a library with old books', scene: 'library' },
  { product: 'dropper', prompt: 'on honeycomb', scene: 'honeycomb', hasPlainFoot: true },
  { product: 'candle', prompt: 'moonlit starry night', scene: 'moonlight' },
  { product: 'ringvase', prompt: 'art deco cocktail bar', scene: 'artdeco' },
  { product: 'mug', prompt: 'japanese zen garden, no stones', scene: 'zen', hasPlainFoot: true },
  { product: 'teddy', prompt: 'picnic in the park at golden hour', scene: 'picnic-grass' },
  { product: 'handbag', prompt: 'brick wall in the city, dramatic', scene: 'brick-street' },
  { product: 'dropper', prompt: 'floating stones on water', scene: 'water-stone', hasPlainFoot: true },
];

export type SceneRow = {
  name: string;
  chosen: string;
  /** Of the pixels inside the eroded mask, how many equal the resized upload, 0..1. */
  untouched: number;
  /** Light just below the foot, compared with the empty scene. */
  contact: number;
  /** Of the frame's height or width, whichever the product fills more. */
  hero: number;
  /** Of the picture, within 20 Lab units of the asked-for colour. */
  colour: number | undefined;
  thumbnail: number[];
  milliseconds: number;
};

const SIDE = 640;

export async function measureScene(sceneCase: SceneCase, seed = 5): Promise<SceneRow> {
  const { sample, product } = await readProduct(sceneCase.product);
  const brief = readBrief(sceneCase.prompt);
  const started = performance.now();
  const scene = await makeScene({ product, upload: sample.picture, brief, seed });
  const milliseconds = performance.now() - started;
  const { plate, frame, picture } = scene;
  const empty = toBytes((await showPlate(plate, await loadPlate(plate.id), frame, brief)).light);
  return {
    name: `${sceneCase.product}: ${sceneCase.prompt}`,
    chosen: plate.id,
    untouched: shareUntouched(scene),
    contact: lightBelow(scene, empty),
    hero: Math.max(scene.product.height / frame.height, scene.product.width / frame.width),
    colour: sceneCase.colour === undefined ? undefined : shareOfColour(picture.data, sceneCase.colour),
    thumbnail: shrinkToThumbnail(picture),
    milliseconds,
  };
}

const CHAIR = { width: 480, height: 600 };

/** A chair of thin bars with its exact mask: seat and back, front legs that end lower than the back ones. */
export function drawChair(): Cutout {
  const { width, height } = CHAIR;
  const bars = [
    [120, 330, 360, 352],
    [140, 60, 152, 340],
    [328, 60, 340, 340],
    [140, 90, 340, 130],
    [122, 340, 132, 560],
    [348, 340, 358, 560],
    [160, 340, 168, 500],
    [312, 340, 320, 500],
  ];
  const alpha = new Uint8Array(width * height);
  for (const [left, top, right, bottom] of bars as [number, number, number, number][]) {
    for (let y = top; y < bottom; y += 1) alpha.fill(255, y * width + left, y * width + right);
  }
  return { width, height, alpha, rgb: new Uint8Array(width * height * 3).fill(120) };
}

/** Whether a product is shown whole, and how much light is left where it touches. */
export async function measureStanding(cutout: Cutout, prompt: string): Promise<{ isWhole: boolean; contact: number }> {
  const brief = readBrief(prompt);
  const scene = await makeScene({ product: cropProduct(cutout), upload: cutout, brief, seed: 5 });
  const { frame, product, plate } = scene;
  const empty = toBytes((await showPlate(plate, await loadPlate(plate.id), frame, brief)).light);
  const isWhole =
    Math.min(frame.left, frame.top) >= 0 &&
    frame.left + product.width <= frame.width &&
    frame.top + product.height <= frame.height;
  return { isWhole, contact: lightBelow(scene, empty) };
}

/** A product by its true mask, as the matting would hand it over. */
async function readProduct(name: string) {
  const sample = await readSample(name, SIDE);
  const { width, height, data } = sample.picture;
  const { front } = separateLayers(sample.picture, sample.alpha);
  const alpha = Uint8Array.from(sample.alpha.data, (a) => Math.round(a * 255));
  const own = Uint8Array.from(front, (value, i) => (alpha[Math.floor(i / 3)]! > 253 ? data[i]! : value));
  return { sample, product: cropProduct({ width, height, rgb: own, alpha }) };
}

function shareUntouched({ picture, frame, product }: Scene): number {
  const { width, height, alpha } = product;
  const inner = erode({ width, height, data: mapBytes(alpha, (a) => (a > 250 ? 1 : 0)) }, 3).data;
  let same = 0;
  let count = 0;
  for (let i = 0; i < inner.length; i += 1) {
    if (!inner[i]) continue;
    const x = frame.left + (i % width);
    const y = frame.top + Math.floor(i / width);
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
    const at = (y * picture.width + x) * 3;
    count += 1;
    if ([0, 1, 2].every((c) => picture.data[at + c] === product.rgb[i * 3 + c])) same += 1;
  }
  return same / Math.max(1, count);
}

/**
 * Light in a strip of 2 % of the product's height right below everything that touches the floor, as a share of the
 * empty scene's: the mean over the spots, so that no part of a base may float.
 */
function lightBelow({ picture, frame, product }: Scene, empty: Uint8Array): number {
  const { width, height } = product;
  const contact = findContact({ width, height, data: mapFloats(product.alpha, (a) => a / 255) });
  const strip = Math.max(2, Math.round(0.02 * height));
  let lit = 0;
  let before = 0;
  for (const spot of contact.spots) {
    let bottom = Math.min(height - 1, Math.round(spot.y));
    while (bottom < height - 1 && product.alpha[bottom * width + spot.x]! >= 13) bottom += 1;
    for (let n = 1; n <= strip; n += 1) {
      const row = bottom + n;
      if (row < height && product.alpha[row * width + spot.x]! > 0) continue; // a strap before the base
      const at = ((frame.top + row) * picture.width + frame.left + spot.x) * 3;
      lit += picture.data[at + 1] ?? 0;
      before += empty[at + 1] ?? 0;
    }
  }
  return lit / Math.max(1, before);
}

function shareOfColour(rgb: Uint8Array, hex: string): number {
  const wanted = toLab(...hexToBytes(hex));
  let count = 0;
  for (let i = 0; i < rgb.length; i += 30) {
    const [l, a, b] = toLab(rgb[i]!, rgb[i + 1]!, rgb[i + 2]!);
    if (Math.hypot(l - wanted[0], a - wanted[1], b - wanted[2]) < 20) count += 1;
  }
  return count / (rgb.length / 30);
}

function shrinkToThumbnail({ data, width, height }: Rgb): number[] {
  const cells = 16;
  const sums = new Array<number>(cells * cells * 3).fill(0);
  const counts = new Array<number>(cells * cells).fill(0);
  for (let i = 0; i < width * height; i += 5) {
    const x = i % width;
    const cell = Math.floor((Math.floor(i / width) * cells) / height) * cells + Math.floor((x * cells) / width);
    counts[cell]! += 1;
    for (let c = 0; c < 3; c += 1) sums[cell * 3 + c]! += data[i * 3 + c]!;
  }
  return sums.map((sum, n) => sum / Math.max(1, counts[Math.floor(n / 3)]!));
}

/** Mean absolute difference of two thumbnails, in steps of 255. */
export function thumbnailDifference(one: number[], other: number[]): number {
  return one.reduce((sum, value, n) => sum + Math.abs(value - other[n]!), 0) / one.length;
}

/** Mean Lab distance of two thumbnails. */
function thumbnailDistance(one: number[], other: number[]): number {
  let sum = 0;
  for (let i = 0; i < one.length; i += 3) {
    const [a, b] = [one, other].map((from) =>
      toLab(Math.round(from[i]!), Math.round(from[i + 1]!), Math.round(from[i + 2]!)),
    );
    sum += Math.hypot(a![0] - b![0], a![1] - b![1], a![2] - b![2]);
  }
  return sum / (one.length / 3);
}

const MOST_LIGHT_BELOW = 0.8; // of the light that the empty floor has there

export function findSceneShortcomings(rows: SceneRow[]): string[] {
  const faults: string[] = [];
  for (const [n, row] of rows.entries()) {
    const wanted = SCENE_CASES[n];
    if (wanted && row.chosen !== wanted.scene) faults.push(`${row.name}: got ${row.chosen}, not ${wanted.scene}`);
    if (row.untouched < 1)
      faults.push(`${row.name}: only ${(100 * row.untouched).toFixed(2)} % of the product's pixels untouched`);
    if (wanted?.hasPlainFoot && row.contact > MOST_LIGHT_BELOW)
      faults.push(`${row.name}: no contact shadow (${row.contact.toFixed(2)})`);
    if (row.hero < 0.45) faults.push(`${row.name}: the product is lost in the frame (${row.hero.toFixed(2)})`);
    if (row.colour !== undefined && row.colour < 0.15)
      faults.push(`${row.name}: the colour covers ${(100 * row.colour).toFixed(0)} %`);
    for (const other of rows.slice(0, n)) {
      if (other.chosen !== row.chosen && thumbnailDistance(row.thumbnail, other.thumbnail) < 6) {
        faults.push(`${row.name} looks like ${other.name}`);
      }
    }
  }
  return faults;
}
