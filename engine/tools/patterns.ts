/** The painted scenes themselves. Each is a wall and a floor; colours come from the prompt or are the recipe's own. */
import { add, mix, scale, smooth, specks, step, wave, WHITE } from './paint.ts';
import type { Light, Recipe } from './recipe.ts';

const confettiColours: Light[] = [
  [0.82, 0.2, 0.28],
  [0.9, 0.62, 0.12],
  [0.18, 0.5, 0.75],
  [0.25, 0.6, 0.38],
  [0.85, 0.45, 0.6],
];

export const patterns: Readonly<Record<string, Recipe>> = {
  aurora: {
    main: '#0b1a33',
    second: '#43e0a0',
    wall: ({ u, v, noise, main, second }) => {
      const curtain = noise.sum(u * 3.2, v * 0.7 + 3, 4) + 0.35 * noise.at(u * 18, v * 1.5);
      const glow = step(0.02, 0.5, curtain) * step(0.62, 0.1, v);
      return add(mix(main, [0.05, 0.02, 0.12], v), mix(second, [0.35, 0.16, 0.75], step(0.35, 0.05, v)), 0.85 * glow);
    },
    floor: ({ x, z, noise, main, second }) =>
      add(scale(main, 1.3), second, 0.1 * step(0, 0.6, noise.sum(x * 6, z * 3, 3))),
    blur: 5,
    hasCorner: true,
  },
  holographic: {
    main: '#d9d4ee',
    second: '#bfe6f2',
    wall: ({ u, v, noise, main, second }) => {
      const turn = 5 * noise.sum(u * 1.6, v * 1.6, 3) + 3 * u + 2 * v;
      const sheen: Light = [wave(turn), wave(turn + 2.1), wave(turn + 4.2)];
      return add(scale(mix(main, second, wave(turn * 0.7)), 0.75), sheen, 0.2);
    },
    floor: ({ x, z, noise, main, second }) => {
      const turn = 4 * noise.sum(x * 3, z, 3) + 2 * z;
      return add(scale(mix(main, second, wave(turn)), 0.75), [wave(turn), wave(turn + 2.1), wave(turn + 4.2)], 0.14);
    },
  },
  terrazzo: {
    main: '#e6ded2',
    second: '#c98d6b',
    wall: (point) => smooth({ ...point, x: point.u, z: point.v }, 0.95),
    floor: (point) => {
      const { inside, pick } = specks(point, point.x * 52, point.z * 19, 0.36);
      const chip = mix(point.second, pick > 0.5 ? [0.3, 0.33, 0.34] : [0.62, 0.42, 0.3], pick);
      return mix(smooth(point, 1), chip, 0.85 * inside);
    },
    blur: 3,
  },
  confetti: {
    main: '#f4e4d6',
    second: '#e86a6a',
    wall: (point) => {
      const { inside, pick } = specks(point, point.u * 11, point.v * 11, 0.22);
      const soft = specks(point, point.u * 6 + 40, point.v * 6, 0.3);
      const base = mix(
        smooth({ ...point, x: point.u, z: point.v }, 0.95),
        confettiColours[Math.floor(soft.pick * 5) % 5]!,
        0.22 * soft.inside,
      );
      return mix(base, confettiColours[Math.floor(pick * 5) % 5]!, 0.8 * inside);
    },
    floor: (point) => {
      const { inside, pick } = specks(point, point.x * 22, point.z * 8, 0.26);
      return mix(smooth(point, 0.98), confettiColours[Math.floor(pick * 5) % 5]!, 0.85 * inside);
    },
    blur: 5,
  },
  dots: {
    main: '#f2b9c0',
    second: '#fdf6ee',
    wall: ({ u, v, main, second }) => {
      const row = Math.floor(v * 12);
      const x = u * 12 + (row % 2) * 0.5;
      const inside = step(0.3, 0.27, Math.hypot(x - Math.floor(x) - 0.5, v * 12 - row - 0.5));
      return mix(main, second, inside);
    },
    floor: (point) => smooth(point, 0.95),
    blur: 4,
  },
  stripes: {
    main: '#f3eee4',
    second: '#5d7fa6',
    wall: ({ u, main, second }) => mix(main, second, step(-0.06, 0.06, Math.sin(u * 2 * Math.PI * 9))),
    floor: (point) => smooth(point, 0.92),
    blur: 4,
  },
  checker: {
    main: '#f1ece2',
    second: '#2a2b2e',
    wall: (point) => smooth({ ...point, x: point.u, z: point.v }, 0.9),
    floor: ({ x, z, main, second, noise }) => {
      const far = 3.4 * Math.log(Math.max(0.2, z)) * 1.6;
      const board = Math.sin(x * 22) * Math.sin(far * 2.4);
      return scale(mix(second, main, step(-0.05, 0.05, board)), 0.95 + 0.06 * noise.sum(x * 20, z * 8, 2));
    },
    blur: 3,
  },
  sunburst: {
    main: '#eec26a',
    second: '#d9643c',
    wall: ({ u, v, main, second }) => {
      const angle = Math.atan2(v - 0.58, u - 0.5);
      return mix(main, second, step(-0.05, 0.05, Math.sin(angle * 16)));
    },
    floor: (point) => smooth({ ...point, main: mix(point.main, point.second, 0.35) }, 0.95),
    blur: 4,
    hasCorner: true,
  },
  smoke: {
    main: '#23262d',
    second: '#a9b2c0',
    wall: ({ u, v, noise, main, second }) => {
      const warp = noise.sum(u * 2, v * 2 + 7, 4);
      const cloud = noise.sum(u * 3 + warp, v * 3 - 2 * warp, 5);
      return mix(main, second, 0.5 * step(-0.15, 0.6, cloud + 0.5 * (v - 0.35)));
    },
    floor: ({ x, z, noise, main, second }) => mix(scale(main, 0.9), second, 0.12 + 0.16 * noise.sum(x * 7, z * 3, 4)),
    blur: 5,
  },
  underwater: {
    main: '#0f5d7c',
    second: '#7fd6e0',
    wall: ({ u, v, noise, main, second }) => {
      const rays = step(0.1, 0.7, noise.sum(u * 6 + v * 1.4, 0.5, 3) + 0.35 - v);
      return add(mix(mix(second, main, step(0, 0.5, v)), scale(main, 0.35), step(0.4, 1, v)), second, 0.3 * rays);
    },
    floor: ({ x, z, noise, main }) => {
      const warp = noise.sum(x * 6, z * 3, 3);
      const caustic = Math.max(0, 1 - 5 * Math.abs(noise.at(x * 14 + 2 * warp, z * 6 + 2 * warp)));
      return add(mix([0.5, 0.44, 0.3], main, 0.55), WHITE, 0.09 * caustic * caustic);
    },
    blur: 8,
  },
  ember: {
    main: '#1a0f0c',
    second: '#ff6a1e',
    wall: ({ u, v, noise, main, second }) => {
      const lick = noise.sum(u * 4, v * 2.2 + 5, 5) + 1.1 * (v - 0.45);
      return add(main, mix(second, [1, 0.75, 0.25], step(0.25, 0.6, lick)), 0.75 * step(-0.05, 0.6, lick));
    },
    floor: ({ x, z, noise, main, second }) => {
      const crack = Math.max(0, 1 - 9 * Math.abs(noise.sum(x * 7, z * 3, 4)));
      return add(scale(main, 1.8), second, 0.5 * crack * crack);
    },
    blur: 7,
  },
  blueprint: {
    main: '#1d4a86',
    second: '#bcd6f5',
    wall: ({ u, v, main, second }) => {
      const line = (value: number, width: number) => step(width, 0, Math.abs(value - Math.round(value)));
      const fine = Math.max(line(u * 32, 0.05), line(v * 32, 0.05));
      const bold = Math.max(line(u * 8, 0.022), line(v * 8, 0.022));
      return mix(main, second, Math.max(0.22 * fine, 0.5 * bold));
    },
    floor: (point) => smooth(point, 0.95),
    blur: 2.5,
  },
};
