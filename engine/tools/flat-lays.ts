/**
 * Draws the plates that are seen from straight above: a surface, even light from the upper left, nothing on it. `node
 * engine/tools/flat-lays.ts [id ...]` writes their pictures into `engine/assets/plates`, whose `plates.json` says the
 * rest.
 */
import { makeNoise, type Noise } from '../src/pixels/noise.ts';
import { makeRandom } from '../src/pixels/random.ts';
import { byteToLight } from '../src/pixels/colour.ts';
import { hexToBytes } from '../src/scenes/colours.ts';
import { MASK_SIZE, PLATE_SIZE } from '../src/scenes/plates.ts';
import { add, mix, scale, step } from './paint.ts';
import { writePlate } from './plate-files.ts';
import type { Light } from './recipe.ts';

/**
 * A surface: its colour in linear light and its height, both over 0..1 of the picture; heights are in shares of its
 * width.
 */
type Surface = {
  colour: (x: number, y: number, noise: Noise) => Light;
  height?: (x: number, y: number, noise: Noise) => number;
  gloss?: number;
};

const SEED = 11;
const GRAIN = 0.012;
const BLADES = 70_000;
const SUN = { x: -0.62, y: -0.55 }; // towards the light, on the picture

const light = (hex: string): Light => hexToBytes(hex).map(byteToLight) as Light;

/** Boards that run across, each cut from another place of the tree. */
function boards(x: number, y: number, noise: Noise, [pale, deep, dark]: [Light, Light, Light], count: number): Light {
  const board = Math.floor(y * count);
  const own = noise.cell(board, 3) * 40;
  const across = y * count - board;
  const bend = 0.55 * noise.sum(x * 1.6 + own, across * 0.9 + own, 3) + 0.12 * noise.sum(x * 5 + own, across * 3, 2);
  const ring = 0.5 + 0.5 * Math.sin(2 * Math.PI * (across * 3.2 + 2.6 * bend + own));
  const fibre = noise.sum(x * 7 + own, y * 210, 3);
  const pores = step(0.34, 0.62, noise.sum(x * 16 + own, y * 420, 2));
  const tone = mix(mix(pale, deep, 0.15 + 0.5 * ring ** 1.6), deep, 0.25 * fibre + 0.12);
  const gap = Math.min(across, 1 - across) / count;
  const lit = 0.9 + 0.2 * noise.cell(board, 8);
  return scale(mix(mix(tone, dark, 0.3 * pores), dark, 0.85 * step(0.0016, 0.0004, gap)), lit);
}

/** Thin lines where a bent noise passes through nothing: veins of stone. */
function vein(x: number, y: number, noise: Noise, size: number, width: number, at: number): number {
  const bentX = x * size + 1.1 * noise.sum(x * size * 0.8 + at, y * size * 0.8, 4);
  const bentY = y * size + 1.1 * noise.sum(x * size * 0.8, y * size * 0.8 + at, 4);
  const line = Math.abs(noise.sum(bentX + at, bentY * 0.6 - at, 3));
  const strength = step(-0.15, 0.45, noise.sum(x * 2 + at, y * 2 + at, 2));
  return step(width, 0, line) * strength;
}

/** Distances to the two nearest of points strewn one a cell, and which cell is nearest. */
function nearest(x: number, y: number, noise: Noise): { edge: number; pick: number; own: number } {
  let [first, second, pick, own] = [9, 9, 0, 0];
  for (let cy = Math.floor(y) - 1; cy <= Math.floor(y) + 1; cy += 1) {
    for (let cx = Math.floor(x) - 1; cx <= Math.floor(x) + 1; cx += 1) {
      const away = Math.hypot(x - cx - noise.cell(cx, cy), y - cy - noise.cell(cx + 57, cy + 23));
      if (away < first)
        [second, first, pick, own] = [first, away, noise.cell(cx + 5, cy + 91), noise.cell(cx + 77, cy)];
      else if (away < second) second = away;
    }
  }
  return { edge: second - first, pick, own };
}

const CHIPS = ['#b9694a', '#51605a', '#d9a441', '#8f8a86', '#3c4148', '#caa58c'].map(light);
const OAK: [Light, Light, Light] = [light('#d9b58a'), light('#b98a5a'), light('#6d4526')];
const WALNUT: [Light, Light, Light] = [light('#7a5338'), light('#4d3020'), light('#1d110b')];

/** Weave of single threads, over and under by turns. */
function weave(x: number, y: number, noise: Noise, count: number): number {
  const u = x * count + 0.25 * noise.sum(x * 30, y * 8, 2);
  const v = y * count + 0.25 * noise.sum(x * 8, y * 30, 2);
  const isOver = (Math.floor(u) + Math.floor(v)) % 2 === 0;
  const [along, across] = isOver ? [u, v] : [v, u];
  const thread = Math.sin(Math.PI * (across - Math.floor(across))) ** 0.7;
  const bow = 0.55 + 0.45 * Math.sin(Math.PI * (along - Math.floor(along)));
  const thick = 0.75 + 0.5 * noise.cell(Math.floor(isOver ? v : u), isOver ? 1 : 2);
  return thread * bow * thick;
}

const folds = (x: number, y: number, noise: Noise) =>
  0.03 * noise.sum(x * 1.7 + 0.6 * y, y * 1.1, 2) + 0.016 * Math.abs(noise.sum(x * 2.4 - y * 1.5 + 3, y * 1.2 + x, 2));

const surfaces: Readonly<Record<string, Surface>> = {
  'flat-wood': {
    colour: (x, y, noise) => boards(x, y, noise, OAK, 5),
    gloss: 0.03,
  },
  'flat-walnut': {
    colour: (x, y, noise) => boards(x + 3, y + 2, noise, WALNUT, 4),
    gloss: 0.03,
  },
  'flat-marble': {
    colour: (x, y, noise) => {
      const cloud = 0.5 + 0.5 * noise.sum(x * 2.2, y * 2.2, 5);
      const base = mix(light('#f6f4f1'), light('#d9d6d3'), 0.75 * cloud);
      const broad = 0.42 * vein(x, y, noise, 2.1, 0.13, 4) + 0.62 * vein(x, y, noise, 2.1, 0.022, 4);
      const fine = 0.4 * vein(x, y, noise, 4.6, 0.016, 17);
      return mix(
        mix(base, light('#8d8988'), Math.min(0.8, broad + fine)),
        light('#b79a6c'),
        0.3 * vein(x, y, noise, 3, 0.012, 31),
      );
    },
    gloss: 0.05,
  },
  'flat-slate': {
    colour: (x, y, noise) => {
      const tone = 0.85 + 0.35 * noise.sum(x * 5, y * 5, 5) + 0.12 * noise.sum(x * 60, y * 60, 2);
      return scale(mix(light('#363a3f'), light('#4a4a48'), step(0, 0.6, noise.sum(x * 1.6 + 9, y * 1.6, 3))), tone);
    },
    height: (x, y, noise) => {
      const layer = 5 * noise.sum(x * 1.5 + 4, y * 1.5, 4) + 2 * y;
      const ledge = layer - Math.floor(layer);
      return 0.004 * (Math.floor(layer) + step(0.85, 1, ledge)) + 0.004 * noise.sum(x * 18, y * 18, 4);
    },
  },
  'flat-linen': {
    colour: (x, y, noise) =>
      scale(light('#e2d8c8'), 0.68 + 0.36 * weave(x, y, noise, 230) + 0.03 * noise.sum(x * 4, y * 4, 3)),
    height: folds,
  },
  'flat-concrete': {
    colour: (x, y, noise) => {
      const cloud = noise.sum(x * 2.4, y * 2.4, 6);
      const speck = step(0.42, 0.6, noise.sum(x * 46, y * 46, 3));
      const base = scale(light('#a8a7a3'), 1 + 0.26 * cloud + 0.05 * noise.sum(x * 130, y * 130, 2));
      const { edge, pick } = nearest(x * 70, y * 70, noise);
      const pit = pick > 0.965 ? step(0.5, 0.75, edge) : 0;
      return mix(mix(base, light('#7f7e7b'), 0.35 * speck), light('#55544f'), 0.8 * pit);
    },
    height: (x, y, noise) => 0.0007 * noise.sum(x * 22, y * 22, 4),
  },
  'flat-terrazzo': {
    colour: (x, y, noise) => {
      const warp = 0.18 * noise.sum(x * 22, y * 22, 2);
      const large = nearest(x * 15 + warp, y * 15 - warp, noise);
      const small = nearest(x * 52 + 40, y * 52, noise);
      const base = scale(light('#ece7de'), 0.97 + 0.05 * noise.sum(x * 40, y * 40, 3));
      const chip = CHIPS[Math.floor(large.own * CHIPS.length)]!;
      const crumb = CHIPS[Math.floor(small.own * CHIPS.length)]!;
      const tone = 0.9 + 0.25 * noise.sum(x * 30 + large.own * 9, y * 30, 3);
      const crumbs = small.pick > 0.7 ? 0.8 * step(0.22, 0.3, small.edge) : 0;
      const chips = large.pick > 0.52 ? 0.94 * step(0.13 + 0.2 * large.own, 0.16 + 0.2 * large.own, large.edge) : 0;
      return mix(mix(base, crumb, crumbs), scale(chip, tone), chips);
    },
    gloss: 0.04,
  },
  'flat-sand': {
    colour: (x, y, noise) => {
      const grain = noise.cell(Math.floor(x * 1100), Math.floor(y * 1100));
      const base = mix(light('#e0c9a0'), light('#cdb084'), 0.5 + 0.6 * noise.sum(x * 3, y * 3, 4));
      return scale(base, 0.86 + 0.24 * grain + (grain > 0.985 ? -0.35 : 0));
    },
    height: (x, y, noise) => {
      const bend = 1.5 * noise.sum(x * 1.5, y * 1.5, 3);
      const ripple = Math.sin(2 * Math.PI * (9 * y + 2.2 * x + bend));
      const strength = 0.35 + 0.65 * step(-0.3, 0.4, noise.sum(x * 1.3 + 7, y * 1.3, 2));
      return 0.0042 * strength * (ripple + 0.35 * ripple ** 2) + 0.0012 * noise.sum(x * 60, y * 60, 3);
    },
  },
  'flat-paper': {
    colour: (x, y, noise) => scale(light('#eceae6'), 0.99 + 0.012 * noise.sum(x * 90, y * 90, 3)),
    height: (x, y, noise) => 0.00022 * noise.sum(x * 150, y * 150, 3),
  },
  'flat-stone': {
    colour: (x, y, noise) => {
      const bent = y * 7 + 0.9 * noise.sum(x * 1.4, y * 2.6, 4);
      const band = 0.5 + 0.5 * noise.sum(x * 0.9 + 3, bent * 1.6, 4);
      const base = mix(
        mix(light('#e2d6c2'), light('#a98f6b'), 1.5 * band - 0.25),
        light('#efe6d8'),
        0.35 * noise.sum(x * 2, bent * 5, 3),
      );
      const pore =
        step(0.3, 0.42, noise.sum(x * 26, bent * 13, 3)) * step(-0.2, 0.25, noise.sum(x * 3 + 5, bent * 1.4, 2));
      return mix(scale(base, 1 + 0.04 * noise.sum(x * 120, y * 120, 2)), light('#8b7557'), 0.75 * pore);
    },
    height: (x, y, noise) => 0.0003 * noise.sum(x * 30, y * 44, 3),
  },
};

const paintings: Readonly<Record<string, () => Float32Array>> = {
  ...Object.fromEntries(Object.entries(surfaces).map(([id, surface]) => [id, () => draw(surface)])),
  'flat-grass': drawGrass,
};
const wanted = process.argv.slice(2);
for (const [id, paint] of Object.entries(paintings)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  await writePlate(id, paint(), { name: 'flat.mask.png', bytes: allSurface() });
}

/** Wall and surface are one: a colour for either is for all of it. */
function allSurface(): Buffer {
  return Buffer.alloc(MASK_SIZE * MASK_SIZE * 3, 255);
}

/** Linear light, interleaved: colour, lit by a low sun over its heights, brighter towards the light. */
function draw({ colour, height, gloss = 0 }: Surface): Float32Array {
  const noise = makeNoise(SEED);
  const out = new Float32Array(PLATE_SIZE * PLATE_SIZE * 3);
  const unit = 1 / PLATE_SIZE;
  for (let row = 0; row < PLATE_SIZE; row += 1) {
    for (let column = 0; column < PLATE_SIZE; column += 1) {
      const [x, y] = [column * unit, row * unit];
      let shade = roomLight(x, y);
      if (height) {
        const here = height(x, y, noise);
        const slope =
          ((height(x + unit, y, noise) - here) * SUN.x + (height(x, y + unit, noise) - here) * SUN.y) / unit;
        shade *= Math.min(1.6, Math.max(0.35, 1 + 1.6 * slope));
      }
      shade *= 1 + GRAIN * (noise.cell(column, row) - 0.5);
      const sheen = gloss * Math.exp(-5 * ((x - 0.2) ** 2 + (y - 0.15) ** 2));
      const lit = add(scale(colour(x, y, noise), shade), [1, 0.98, 0.95], sheen);
      out.set(lit, (row * PLATE_SIZE + column) * 3);
    }
  }
  return out;
}

function roomLight(x: number, y: number): number {
  return 1.06 - 0.2 * (0.55 * x + 0.45 * y) - 0.1 * ((x - 0.5) ** 2 + (y - 0.5) ** 2);
}

/** Blades from the deepest to the highest: each a bent stroke, darker where it starts. */
function drawGrass(): Float32Array {
  const random = makeRandom(SEED);
  const noise = makeNoise(SEED);
  const out = new Float32Array(PLATE_SIZE * PLATE_SIZE * 3);
  for (let i = 0; i < out.length; i += 3) out.set([0.012, 0.022, 0.006], i);
  for (let n = 0; n < BLADES; n += 1) {
    const rise = n / BLADES;
    const [x, y] = [random() * (PLATE_SIZE + 120) - 60, random() * (PLATE_SIZE + 120) - 60];
    const patch = noise.sum(x / 300, y / 300, 3);
    const turn = 2 * Math.PI * random();
    const length = 34 + 46 * random();
    const bend = 1.4 * (random() - 0.5);
    const tint = mix(
      light('#4f7a26'),
      light('#9bb34d'),
      Math.min(1, Math.max(0, 0.3 + 0.5 * patch + 0.5 * (random() - 0.5))),
    );
    const dry = random() > 0.965 ? light('#b5a261') : tint;
    drawBlade(out, { x, y, turn, length, bend, wide: 2 + 2.6 * random() }, scale(dry, 0.28 + 0.85 * rise));
  }
  return out;
}

type Blade = { x: number; y: number; turn: number; length: number; bend: number; wide: number };

function drawBlade(out: Float32Array, { x, y, turn, length, bend, wide }: Blade, tint: Light): void {
  for (let n = 0; n <= length; n += 0.7) {
    const t = n / length;
    const angle = turn + bend * t;
    const [px, py] = [x + n * Math.cos(angle), y + n * Math.sin(angle)];
    const half = (wide / 2) * Math.sqrt(1 - t * 0.96);
    const lit = (0.45 + 0.6 * t) * (1 + 0.3 * (Math.cos(angle) * SUN.y - Math.sin(angle) * SUN.x));
    for (let row = Math.floor(py - half); row <= py + half; row += 1) {
      for (let column = Math.floor(px - half); column <= px + half; column += 1) {
        if (row < 0 || column < 0 || row >= PLATE_SIZE || column >= PLATE_SIZE) continue;
        const cover = Math.min(1, Math.max(0, half + 0.5 - Math.hypot(column - px, row - py)));
        const i = (row * PLATE_SIZE + column) * 3;
        for (let c = 0; c < 3; c += 1) out[i + c] = out[i + c]! * (1 - cover) + tint[c]! * lit * cover;
      }
    }
  }
}
