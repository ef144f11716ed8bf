/** Painted scenes of rooms, cloth and crafted walls. */
import { add, boards, lines, mix, nearness, scale, smooth, step, wave } from './paint.ts';
import type { Light, Recipe } from './recipe.ts';

const OAK: Light = [0.31, 0.17, 0.08];
const WALNUT: Light = [0.11, 0.05, 0.025];
const BOOKS: Light[] = [
  [0.19, 0.05, 0.04],
  [0.05, 0.1, 0.09],
  [0.06, 0.07, 0.14],
  [0.36, 0.25, 0.13],
  [0.22, 0.12, 0.05],
  [0.1, 0.04, 0.06],
];

export const interiors: Readonly<Record<string, Recipe>> = {
  curtain: {
    main: '#8d1524',
    second: '#8a5a34',
    wall: ({ u, v, noise, main }) => {
      const fold = Math.sin(u * 2 * Math.PI * 10 + 1.6 * noise.sum(u * 5, v * 0.6, 2) + 0.5 * v);
      const light = 0.16 + 0.84 * (0.5 + 0.5 * fold) ** 1.5;
      return add(scale(main, light * (0.55 + 0.7 * v)), [1, 0.8, 0.75], 0.035 * Math.max(0, fold) ** 8);
    },
    floor: (point) => boards(point, point.second, 8),
    blur: 7,
    hasCorner: true,
  },
  plaid: {
    main: '#93262b',
    second: '#1d3b35',
    wall: ({ u, v, main, second, noise }) => {
      const band = (at: number) => step(0.28, 0.34, Math.abs(((at * 4.5) % 1) - 0.5));
      const stripe = (at: number) => lines(at * 4.5 + 0.5, 0.03);
      const weave = 1 + 0.1 * Math.sin((u + v) * 900) * Math.sin((u - v) * 900) + 0.1 * noise.sum(u * 60, v * 60, 2);
      const cloth = mix(mix(main, second, 0.75 * band(u)), second, 0.55 * band(v));
      return scale(mix(cloth, [0.75, 0.66, 0.42], 0.5 * Math.max(stripe(u), stripe(v))), weave);
    },
    floor: (point) => boards(point, OAK),
    blur: 5,
    hasCorner: true,
  },
  library: {
    main: '#4a2f1d',
    second: '#6b4327',
    wall: (point) => {
      const { u, v, noise, main } = point;
      const shelf = Math.floor(v * 6);
      const inShelf = v * 6 - shelf;
      const spine = u * 46 + noise.cell(shelf, 9) * 20 + 0.6 * Math.sin(u * 46 * 2.1 + shelf);
      const book = Math.floor(spine);
      const top = 0.12 + 0.34 * noise.cell(book, shelf);
      const cover = BOOKS[Math.floor(noise.cell(book, shelf + 40) * BOOKS.length)] ?? BOOKS[0]!;
      const round = 0.55 + 0.45 * Math.sin(Math.PI * (spine - book));
      const band = lines((inShelf - top) * 4, 0.12) * 0.35;
      const paper = mix(scale(cover, 1.15 * round), [0.5, 0.36, 0.14], band);
      const shown = mix([0.012, 0.008, 0.006], paper, step(top, top + 0.05, inShelf));
      return mix(shown, scale(main, 1.1), step(0.9, 0.94, inShelf));
    },
    floor: (point) => boards(point, WALNUT, 7),
    blur: 9,
    hasCorner: true,
  },
  wicker: {
    main: '#c9a06a',
    second: '#e8d9bf',
    wall: ({ u, v, main, noise }) => {
      const [x, y] = [u * 26, v * 26];
      const isOver = (Math.floor(x) + Math.floor(y)) % 2 === 0;
      const [along, across] = isOver ? [x, y] : [y, x];
      const bulge = Math.sin(Math.PI * (along - Math.floor(along))) ** 0.6;
      const strand = 0.5 + 0.5 * Math.sin(Math.PI * (across - Math.floor(across)));
      const grain =
        1 + 0.2 * noise.at(along * 2, across * 14) + 0.25 * (noise.cell(Math.floor(x), Math.floor(y)) - 0.5);
      return scale(main, (0.25 + 0.75 * bulge * (0.6 + 0.4 * strand)) * grain);
    },
    floor: (point) => smooth({ ...point, main: point.second }, 0.96),
    blur: 5,
    hasCorner: true,
  },
  tufted: {
    main: '#6b3820',
    second: '#5a3a22',
    wall: ({ u, v, main, noise }) => {
      const a = u * 7 + v * 9;
      const b = u * 7 - v * 9;
      const pad = Math.abs(Math.sin(Math.PI * a) * Math.sin(Math.PI * b)) ** 0.45;
      const lit = Math.sin(2 * Math.PI * a) * 0.12 - Math.sin(2 * Math.PI * b) * 0.12;
      const button = Math.hypot((a - Math.round(a)) / 1, (b - Math.round(b)) / 1);
      const knob = step(0.1, 0.07, button) * (0.7 + 3 * (0.1 - button));
      const grain = 1 + 0.06 * noise.sum(u * 90, v * 90, 2);
      const leather = add(scale(main, (0.14 + 0.8 * pad + lit * pad) * grain), [1, 0.9, 0.8], 0.03 * pad ** 10);
      return mix(leather, scale(main, 0.7), knob);
    },
    floor: (point) => boards(point, point.second, 8),
    blur: 6,
    hasCorner: true,
  },
  herringbone: {
    main: '#9fb0a3',
    second: '#a9784b',
    wall: ({ u, v, main, noise }) => {
      const panel = Math.abs(((u * 3 + 0.5) % 1) - 0.5) * 2;
      const frame = Math.min(0.84 - panel, (0.5 - v) * 3, v * 4 + 0.4);
      const ridge = step(0, 0.012, frame) - step(0.03, 0.045, frame);
      const plaster = 0.96 + 0.03 * noise.sum(u * 14, v * 14, 3);
      return scale(main, plaster + 0.1 * ridge - 0.12 * (step(0.03, 0.045, frame) - step(0.05, 0.07, frame)));
    },
    floor: (point) => {
      const { x, z, noise, second } = point;
      const far = Math.log(z) * 1.1;
      const column = Math.floor(x * 9);
      const side = column % 2 === 0 ? 1 : -1;
      const slant = far * 14 + side * (x * 9 - column) * 1.1;
      const stave = Math.floor(slant);
      const tone = 0.78 + 0.4 * noise.cell(stave, column);
      const fibre = 1 + 0.14 * nearness(z) * noise.sum((x * 9 - column) * 3 * side + slant, slant * 6, 3);
      const gap = Math.max(lines(slant, 0.03), lines(x * 9, 0.02));
      return scale(second, tone * fibre * (1 - 0.5 * nearness(z) * gap));
    },
    blur: 4,
    hasCorner: true,
  },
  artdeco: {
    main: '#12343b',
    second: '#d1a954',
    wall: ({ u, v, main, second }) => {
      let best: Light = main;
      for (let row = Math.floor(v * 9) - 1; row <= Math.floor(v * 9) + 1; row += 1) {
        const x = u * 7 + (row & 1) * 0.5;
        const reach = Math.hypot(x - Math.floor(x) - 0.5, (v * 9 - row - 1) * 0.72);
        if (reach > 0.52) continue;
        const ring = Math.max(lines(reach * 6.2, 0.1), step(0.47, 0.49, reach));
        best = mix(scale(main, 0.7 + 0.7 * reach), second, 0.85 * ring);
      }
      return best;
    },
    floor: ({ x, z, noise, main }) => scale(main, 0.55 + 0.08 * noise.sum(x * 8, z * 3, 3)),
    blur: 5,
    hasCorner: true,
  },
  zen: {
    main: '#e9e0cd',
    second: '#4f3626',
    wall: ({ u, v, main, second, noise }) => {
      const frame = Math.max(lines(u * 6 + 0.5, 0.025), lines(v * 5.5, 0.02));
      const paper =
        0.88 + 0.12 * Math.exp(-6 * ((u - 0.4) ** 2 + (v - 0.3) ** 2)) + 0.03 * noise.sum(u * 40, v * 40, 3);
      return mix(scale(main, paper), second, 0.8 * frame);
    },
    floor: ({ x, z, noise, main }) => {
      const reach = Math.hypot(x * 1.4, (z - 1) * 0.34);
      const straight = z * 30;
      const rake = mixNumber(Math.sin(reach * 130), Math.sin(straight * 1.4), step(0.26, 0.34, reach));
      const grain = noise.cell(Math.floor(x * 900), Math.floor(z * 500)) - 0.5;
      return scale(main, 0.8 + nearness(z) * (0.11 * rake + 0.1 * grain));
    },
    blur: 6,
    hasCorner: true,
  },
  metal: {
    main: '#a4a9b0',
    second: '#8e9299',
    wall: ({ u, v, main, noise }) => {
      const sheen = 0.62 + 0.5 * Math.exp(-9 * (u - 0.34) ** 2) + 0.2 * Math.exp(-30 * (u - 0.82) ** 2);
      const brush = 1 + 0.09 * noise.sum(u * 2, v * 420, 2);
      const seam = 1 - 0.55 * Math.max(lines(u * 2 + 0.25, 0.004), lines(v * 2.6, 0.005));
      return scale(main, sheen * brush * seam);
    },
    floor: ({ x, z, second, noise }) =>
      scale(second, (0.62 + 0.35 * wave(x * 5 + 0.6)) * (1 + 0.08 * nearness(z) * noise.sum(x * 3, z * 260, 2))),
    blur: 3,
    hasCorner: true,
  },
};

function mixNumber(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}
