/** Evaluates scenes with ground-truth masks, so that only the composing is judged. */
import { separateLayers } from '../src/cutout/foreground.ts';
import { erode } from '../src/pixels/mask.ts';
import { mapBytes, mapFloats, type Rgb } from '../src/pixels/plane.ts';
import { showPlate } from '../src/scenes/backdrop.ts';
import { readBrief } from '../src/words/brief.ts';
import { hexToBytes, toBytes, toLabPlanes } from '../src/pixels/colour.ts';
import { findContact } from '../src/scenes/contact.ts';
import { makeScene, type Scene } from '../src/scenes/make-scene.ts';
import { loadPlate } from '../src/scenes/plates.ts';
import { cropProduct, scaleProduct } from '../src/scenes/product.ts';
import { readSample } from './composites.ts';

/**
 * Product, prompt, the expected plate, whether a broad foot stands on a matt floor, so that the contact shadow can be
 * measured, and a colour that must cover a part of the picture.
 */
type SceneCase = [product: string, prompt: string, scene: string, hasPlainFoot: boolean, colour?: string];

export const SCENE_CASES: SceneCase[] = [
  ['mug', 'on a wooden table by the window in the morning', 'morning-table', true],
  ['dropper', 'elegant white marble podium with soft shadows', 'marble-podium', true],
  ['handbag', 'pastel pink studio with arches', 'pastel-arches', false],
  ['teddy', 'black luxury with gold bokeh', 'black-gold', false],
  ['kettle', 'Kitchen counter, cooking', 'kitchen-counter', true],
  ['candle', 'mossy stone in a forest', 'moss-stone', true],
  ['mug', 'navy background', 'studio-sweep', false, '#1f2c4f'],
  ['dropper', 'on a teal podium', 'colour-podium', true],
  ['kettle', 'beach, no palm trees', 'beach-sand', true],
  ['teddy', "children's birthday party", 'birthday-table', false],
  ['mug', 'northern lights', 'aurora', false],
  ['dropper', 'polka dots', 'dots', true],
  ['mug', 'qwertz uiop', 'studio-sweep', true],
  ['kettle', 'sage green wall, soft light from the left', 'sage-leaf', false, '#a9b596'],
  ['handbag', 'terracotta background', 'studio-sweep', false, '#c4703f'],
  ['mug', 'burgundy plaid, lumberjack cabin', 'plaid', false, '#6a1f2e'],
  ['kettle', 'a library with old books', 'library', false],
  ['dropper', 'on honeycomb', 'honeycomb', true],
  ['candle', 'moonlit starry night', 'moonlight', false],
  ['ringvase', 'art deco cocktail bar', 'artdeco', false],
  ['mug', 'japanese zen garden, no stones', 'zen', true],
  ['teddy', 'picnic in the park at golden hour', 'picnic-grass', false],
  ['handbag', 'brick wall in the city, dramatic', 'brick-street', false],
  ['dropper', 'floating stones on water', 'water-stone', true],
];

type SceneRow = Awaited<ReturnType<typeof measureScene>>;

const SIDE = 640;

export async function measureScene([name, prompt, , , requested]: SceneCase) {
  const { sample, product } = await readProduct(name);
  const brief = readBrief(prompt);
  const started = performance.now();
  const made = await makeScene({ product, upload: sample.picture, brief });
  const milliseconds = performance.now() - started;
  const { plate, frame, picture } = made;
  const scene = { ...made, product: await scaleProduct(made.product, frame.productScale) };
  const empty = toBytes((await showPlate(plate, await loadPlate(plate), frame, brief)).light);
  return {
    name: `${name}: ${prompt}`,
    chosen: plate.id,
    untouched: shareUntouched(scene),
    contact: lightBelow(scene, empty),
    /** Share of the frame's height or width, whichever the product fills more. */
    hero: Math.max(scene.product.height / frame.height, scene.product.width / frame.width),
    colour: requested === undefined ? undefined : shareOfColour(picture.data, requested),
    thumbnail: shrinkToThumbnail(picture),
    milliseconds,
  };
}

/** A product cut out by its ground-truth mask. */
async function readProduct(name: string) {
  const sample = await readSample(name, SIDE);
  const { width, height, data } = sample.picture;
  const { front } = separateLayers(sample.picture, sample.alpha);
  const alpha = Uint8Array.from(sample.alpha.data, (a) => Math.round(a * 255));
  const own = Uint8Array.from(front, (value, i) => (alpha[Math.floor(i / 3)]! > 253 ? data[i]! : value));
  return { sample, product: cropProduct({ width, height, data: own, alpha }) };
}

/** Share of pixels inside the eroded mask that equal the resized upload, 0..1. */
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
    if ([0, 1, 2].every((c) => picture.data[at + c] === product.data[i * 3 + c])) same += 1;
  }
  return same / Math.max(1, count);
}

/**
 * Light in a strip of 2 % of the product's height below all contact points, relative to the empty scene: the mean over
 * all of them, so that no part of a base may float.
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

/** Share of the picture within 20 Lab units of the requested colour. */
function shareOfColour(rgb: Uint8Array, hex: string): number {
  const readLab = (data: Uint8Array) => toLabPlanes({ width: data.length / 3, height: 1, data });
  const [labOfPicture, requested] = [readLab(rgb), readLab(Uint8Array.from(hexToBytes(hex)))];
  const parts = ['l', 'a', 'b'] as const;
  let count = 0;
  for (let i = 0; i < labOfPicture.l.length; i += 10) {
    if (Math.hypot(...parts.map((part) => labOfPicture[part][i]! - requested[part][0]!)) < 20) count += 1;
  }
  return (10 * count) / labOfPicture.l.length;
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
function thumbnailDifference(one: number[], other: number[]): number {
  return one.reduce((sum, value, n) => sum + Math.abs(value - other[n]!), 0) / one.length;
}

const MAX_LIGHT_BELOW = 0.8; // of the empty floor's light

/** Measures every scene and prints a table; returns a sentence per shortcoming. */
export async function judgeScenes(): Promise<string[]> {
  const rows: SceneRow[] = [];
  for (const sceneCase of SCENE_CASES) rows.push(await measureScene(sceneCase));
  console.log('scenes, by true masks');
  console.table(
    rows.map((row) => ({
      scene: row.name,
      chosen: row.chosen,
      'untouched %': (100 * row.untouched).toFixed(1),
      contact: row.contact.toFixed(2),
      hero: row.hero.toFixed(2),
      ms: Math.round(row.milliseconds),
    })),
  );
  return findSceneShortcomings(rows);
}

/** Returns a sentence per reason why a scene cannot be sold. */
export function findSceneShortcomings(rows: SceneRow[]): string[] {
  const faults: string[] = [];
  for (const [n, row] of rows.entries()) {
    const [, , scene, hasPlainFoot] = SCENE_CASES[n]!;
    if (row.chosen !== scene) faults.push(`${row.name}: got ${row.chosen}, not ${scene}`);
    if (row.untouched < 1)
      faults.push(`${row.name}: only ${(100 * row.untouched).toFixed(2)} % of the product's pixels untouched`);
    if (hasPlainFoot && row.contact > MAX_LIGHT_BELOW)
      faults.push(`${row.name}: no contact shadow (${row.contact.toFixed(2)})`);
    if (row.hero < 0.3) faults.push(`${row.name}: the product is lost in the frame (${row.hero.toFixed(2)})`);
    if (row.colour !== undefined && row.colour < 0.15)
      faults.push(`${row.name}: the colour covers ${(100 * row.colour).toFixed(0)} %`);
    for (const other of rows.slice(0, n)) {
      if (other.chosen !== row.chosen && thumbnailDifference(row.thumbnail, other.thumbnail) < 8) {
        faults.push(`${row.name} looks like ${other.name}`);
      }
    }
  }
  return faults;
}
