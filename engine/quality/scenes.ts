// How good the scenes are, measured with true masks so that only the composing is judged.
import { estimateForeground } from '../src/matting/foreground.ts';
import { erode } from '../src/matting/regions.ts';
import { toBytes } from '../src/pixels/light.ts';
import { toLab } from '../src/pixels/lab.ts';
import { showPlate } from '../src/scenes/backdrop.ts';
import { readBrief } from '../src/scenes/brief.ts';
import { chooseScene } from '../src/scenes/choose.ts';
import { hexToBytes } from '../src/scenes/colours.ts';
import { composeScene, type Scene } from '../src/scenes/compose.ts';
import { frameScene } from '../src/scenes/frame.ts';
import { cropProduct, scaleProduct, type Product } from '../src/scenes/product.ts';
import { readSample } from './composites.ts';

export interface SceneCase {
  product: string;
  prompt: string;
  /** The plate or painted scene that these words must bring. */
  scene: string;
  /** A broad foot on a floor that does not mirror: here the dark line under the product can be measured. */
  hasPlainFoot?: true;
  /** A colour that must cover part of the picture. */
  colour?: string;
}

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
  { product: 'mug', prompt: 'northern lights', scene: 'painted-aurora' },
  { product: 'dropper', prompt: 'polka dots', scene: 'painted-dots', hasPlainFoot: true },
  { product: 'mug', prompt: 'qwertz uiop', scene: 'studio-sweep', hasPlainFoot: true },
  { product: 'kettle', prompt: 'sage green wall, soft light from the left', scene: 'sage-leaf', colour: '#a9b596' },
  { product: 'handbag', prompt: 'terracotta background', scene: 'studio-sweep', colour: '#c4703f' },
  { product: 'mug', prompt: 'burgundy plaid, lumberjack cabin', scene: 'painted-plaid', colour: '#6a1f2e' },
  { product: 'kettle', prompt: 'a library with old books', scene: 'painted-library' },
  { product: 'dropper', prompt: 'on honeycomb', scene: 'painted-honeycomb', hasPlainFoot: true },
  { product: 'candle', prompt: 'moonlit starry night', scene: 'painted-moonlight' },
  { product: 'ringvase', prompt: 'art deco cocktail bar', scene: 'painted-artdeco' },
  { product: 'mug', prompt: 'japanese zen garden, no stones', scene: 'painted-zen', hasPlainFoot: true },
  { product: 'teddy', prompt: 'picnic in the park at golden hour', scene: 'picnic-grass' },
  { product: 'handbag', prompt: 'brick wall in the city, dramatic', scene: 'brick-street' },
  { product: 'dropper', prompt: 'floating stones on water', scene: 'water-stone', hasPlainFoot: true },
];

export interface SceneRow {
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
}

const SIDE = 640;

export async function measureScene(sceneCase: SceneCase, seed = 5): Promise<SceneRow> {
  const { sample, product } = await readProduct(sceneCase.product);
  const brief = readBrief(sceneCase.prompt, '');
  const started = performance.now();
  const { plate, load } = chooseScene(brief, 0, seed);
  const frame = frameScene(plate, sample.picture, product, seed, false);
  const placed = await scaleProduct(product, frame.productScale);
  const scene = await composeScene(plate, await load(), frame, placed, brief);
  const milliseconds = performance.now() - started;
  const empty = toBytes((await showPlate(plate, await load(), frame, brief)).light);
  return {
    name: `${sceneCase.product}: ${sceneCase.prompt}`,
    chosen: plate.id,
    untouched: shareUntouched(scene, placed),
    contact: lightBelow(scene, placed, empty),
    hero: Math.max(placed.height / scene.height, placed.width / scene.width),
    colour: sceneCase.colour === undefined ? undefined : shareOfColour(scene.rgb, sceneCase.colour),
    thumbnail: shrinkToThumbnail(scene),
    milliseconds,
  };
}

/** A product by its true mask, as the matting would hand it over. */
export async function readProduct(name: string) {
  const sample = await readSample(name, SIDE);
  const { width, height, rgb } = sample.picture;
  const front = estimateForeground(sample.picture, sample.alpha);
  const alpha = Uint8Array.from(sample.alpha, (a) => Math.round(a * 255));
  const own = Uint8Array.from(front, (value, i) => (alpha[Math.floor(i / 3)]! > 253 ? rgb[i]! : value));
  return { sample, product: cropProduct({ width, height, rgb: own, alpha }) };
}

function shareUntouched(scene: Scene, product: Product): number {
  const solid = Uint8Array.from(product.alpha, (a) => (a > 250 ? 1 : 0));
  const inner = erode(solid, product.width, product.height, 3);
  let same = 0;
  let count = 0;
  for (let i = 0; i < inner.length; i += 1) {
    if (!inner[i]) continue;
    const x = scene.left + (i % product.width);
    const y = scene.top + Math.floor(i / product.width);
    if (x < 0 || y < 0 || x >= scene.width || y >= scene.height) continue;
    const at = (y * scene.width + x) * 3;
    count += 1;
    if ([0, 1, 2].every((c) => scene.rgb[at + c] === product.rgb[i * 3 + c])) same += 1;
  }
  return same / Math.max(1, count);
}

/** In a strip of 2 % of the product's height right below the columns that stand on the floor. */
function lightBelow(scene: Scene, product: Product, empty: Uint8Array): number {
  const strip = Math.max(2, Math.round(0.02 * product.height));
  let lit = 0;
  let before = 0;
  for (let x = 0; x < product.width; x += 1) {
    let bottom = product.height - 1;
    while (bottom > 0 && product.alpha[bottom * product.width + x]! < 13) bottom -= 1;
    if (bottom < 0.95 * product.height) continue;
    for (let n = 1; n <= strip; n += 1) {
      const at = ((scene.top + bottom + n) * scene.width + scene.left + x) * 3;
      lit += scene.rgb[at + 1] ?? 0;
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

function shrinkToThumbnail({ rgb, width, height }: Scene): number[] {
  const cells = 16;
  const sums = new Array<number>(cells * cells * 3).fill(0);
  const counts = new Array<number>(cells * cells).fill(0);
  for (let i = 0; i < width * height; i += 5) {
    const x = i % width;
    const cell = Math.floor((Math.floor(i / width) * cells) / height) * cells + Math.floor((x * cells) / width);
    counts[cell]! += 1;
    for (let c = 0; c < 3; c += 1) sums[cell * 3 + c]! += rgb[i * 3 + c]!;
  }
  return sums.map((sum, n) => sum / Math.max(1, counts[Math.floor(n / 3)]!));
}

/** Mean absolute difference of two thumbnails, in steps of 255. */
export function thumbnailDifference(one: number[], other: number[]): number {
  return one.reduce((sum, value, n) => sum + Math.abs(value - other[n]!), 0) / one.length;
}

/** Mean Lab distance of two thumbnails. */
export function thumbnailDistance(one: number[], other: number[]): number {
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
