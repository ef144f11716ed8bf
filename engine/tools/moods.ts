/** Painted scenes of light, weather and colour. */
import { add, bokeh, lines, mix, nearness, scale, smooth, specks, step, WHITE } from './paint.ts';
import type { Light, Recipe } from './recipe.ts';

export const moods: Readonly<Record<string, Recipe>> = {
  gradient: {
    main: '#f7b59b',
    second: '#8f7fe0',
    wall: ({ u, v, noise, main, second }) => {
      const drift = 0.28 * noise.sum(u * 1.3 + 5, v * 1.3, 2);
      const blend = mix(main, second, step(0, 1, v * 1.25 + 0.5 * (u - 0.5) + drift));
      return add(blend, WHITE, 0.1 * Math.exp(-7 * ((u - 0.35) ** 2 + (v - 0.25) ** 2)));
    },
    floor: ({ x, z, noise, main, second }) => mix(second, main, 0.35 + 0.2 * noise.sum(x * 2, z, 2) - 0.12 * (1 - z)),
    blur: 6,
  },
  glitter: {
    main: '#b98a3c',
    second: '#fff0c2',
    wall: (point) => {
      const { u, v, main, second } = point;
      const far = bokeh(point, u * 13, v * 13, 0.42);
      const close = bokeh(point, u * 7 + 31, v * 7, 0.4);
      return add(scale(main, 0.3 + 0.25 * v), second, 0.4 * far + 0.34 * close);
    },
    floor: ({ x, z, noise, main, second }) => {
      const flake = noise.cell(Math.floor(x * 520), Math.floor(Math.log(z) * 330));
      return add(scale(main, 0.42 + 0.5 * flake), second, 0.9 * nearness(z) * flake ** 14);
    },
    blur: 7,
  },
  honeycomb: {
    main: '#e3a029',
    second: '#fbe2a2',
    wall: ({ u, v, main, second, noise }) => {
      const { rim, column, row } = findHexagon(u * 9, v * 9);
      const tone = 0.72 + 0.5 * noise.cell(column, row);
      const cell = scale(main, tone * (0.75 + 0.5 * step(0.1, 0.42, rim)));
      return mix(second, cell, step(0.03, 0.075, rim));
    },
    floor: ({ x, z, noise, main, second }) => mix(main, second, 0.55 + 0.2 * noise.sum(x * 4, z * 2, 2)),
    blur: 6,
  },
  watercolour: {
    main: '#7db3dd',
    second: '#ea9db4',
    wall: ({ u, v, noise, main, second }) => {
      const paper: Light = scale([0.93, 0.91, 0.87], 0.98 + 0.035 * noise.sum(u * 120, v * 120, 2));
      const wash = (colour: Light, field: number): Light => {
        const inside = step(-0.02, 0.05, field);
        const rim = Math.exp(-((field / 0.028) ** 2)); // pigment gathers where a wash dries
        return mix(WHITE, colour, Math.min(0.95, inside * (0.45 + 0.5 * field) + 0.3 * rim));
      };
      const a = wash(main, noise.sum(u * 2.1, v * 2.1 + 3, 5) + 0.12);
      const b = wash(second, noise.sum(u * 2.3 + 9, v * 2.3, 5) - 0.02);
      return [paper[0] * a[0] * b[0], paper[1] * a[1] * b[1], paper[2] * a[2] * b[2]];
    },
    floor: ({ x, z, noise }) => scale([0.9, 0.88, 0.84], 0.98 + 0.03 * nearness(z) * noise.sum(x * 90, z * 40, 2)),
  },
  rain: {
    main: '#30404f',
    second: '#ffc987',
    wall: (point) => {
      const { u, v, main, second } = point;
      const lamps = bokeh(point, u * 8 + 3, v * 8 + 8, 0.3);
      const street = add(mix(main, scale(main, 1.9), v), second, 0.5 * lamps * step(0.1, 0.5, v));
      const drop = specks(point, u * 46, v * 42, 0.3);
      const lens = Math.sin(Math.PI * Math.min(1, Math.max(0, (v * 42) % 1))); // a drop shows the street upside down
      return add(scale(street, 1 - 0.25 * drop.inside), second, 0.22 * drop.inside * drop.pick * lens);
    },
    floor: ({ x, z, noise, main, second }) =>
      add(scale(main, 0.7), second, 0.1 * nearness(z) * step(0.05, 0.5, noise.sum(x * 9, z * 5, 3))),
    blur: 5,
  },
  moonlight: {
    main: '#16244a',
    second: '#f3e6bd',
    wall: ({ u, v, noise, main, second }) => {
      const sky = mix(scale(main, 0.55), add(main, [0.1, 0.12, 0.25], 0.5), step(0, 0.6, v));
      const away = Math.hypot(u - 0.74, (v - 0.17) * 1.02);
      const moon = step(0.075, 0.071, away) * step(0.07, 0.074, Math.hypot(u - 0.712, v - 0.16));
      const halo = 0.22 * Math.exp(-22 * away);
      const star = noise.cell(Math.floor(u * 260), Math.floor(v * 260));
      const stars = star > 0.9965 ? (star - 0.9965) * 190 : 0;
      const ridge = 0.47 - 0.08 * noise.sum(u * 2.4, 3, 3);
      const hills = scale(main, 0.3);
      return mix(add(sky, second, moon + halo + stars), hills, step(ridge, ridge + 0.004, v));
    },
    floor: ({ x, z, noise, main, second }) =>
      add(scale(main, 0.65), second, 0.05 + 0.05 * nearness(z) * noise.sum(x * 16, z * 7, 4)),
    blur: 3,
    hasCorner: true,
  },
  meadow: {
    main: '#8f7cc4',
    second: '#f3dcae',
    wall: ({ u, v, noise, main, second }) => {
      const sky = mix([0.35, 0.55, 0.8], second, step(0.05, 0.36, v));
      const hill = 0.37 + 0.035 * noise.sum(u * 2.6, 1, 3);
      const green: Light = mix([0.16, 0.24, 0.12], second, 0.35);
      const land = mix(sky, green, step(hill, hill + 0.012, v));
      const depth = Math.max(0.004, v - 0.415);
      const row = (u - 0.46) / depth;
      const bushes = 0.5 + 0.5 * Math.cos(row * 0.9) + 0.28 * noise.sum(row * 3, 1 / depth, 3);
      const field = mix([0.09, 0.13, 0.05], scale(main, 0.95), step(0.1, 0.6, bushes));
      return mix(land, mix(field, green, step(0.05, 0, depth)), step(0.412, 0.422, v));
    },
    floor: (point) => {
      const { x, z, noise } = point;
      const plank = lines(Math.log(z) * 4.2, 0.025);
      const fibre = 1 + 0.14 * nearness(z) * noise.sum(x * 5, z * 60, 3);
      return scale([0.46, 0.36, 0.26], fibre * (1 - 0.45 * plank));
    },
    blur: 8,
    hasCorner: true,
  },
  paper: {
    main: '#f0d9c8',
    second: '#c96f5b',
    wall: ({ u, v, noise, main, second }) => {
      const field = noise.sum(u * 1.5 + 2, v * 1.5, 3) + 0.55 * (v - 0.3);
      const level = field * 9;
      const sheet = Math.floor(level);
      const shade = step(0.34, 0, level - sheet);
      return scale(mix(main, second, Math.min(1, Math.max(0, 0.42 + sheet * 0.13))), 1 - 0.3 * shade);
    },
    floor: (point) => smooth(point, 0.96),
    blur: 4,
  },
};

/** Distance from the rim (0 on it, 0.5 in the middle) of the hexagon that holds the point, and which one it is. */
function findHexagon(x: number, y: number): { rim: number; column: number; row: number } {
  const TALL = Math.sqrt(3);
  const candidates = [0, 0.5].map((shift) => {
    const column = Math.round(x - shift) + shift;
    const row = (Math.round(y / TALL - shift) + shift) * TALL;
    return { column, row, dx: Math.abs(x - column), dy: Math.abs(y - row) };
  });
  const [first, second] = candidates as [(typeof candidates)[0], (typeof candidates)[0]];
  const { column, row, dx, dy } = Math.hypot(first.dx, first.dy) < Math.hypot(second.dx, second.dy) ? first : second;
  return {
    rim: 0.5 - Math.max(dx, 0.5 * dx + (TALL / 2) * dy),
    column: Math.round(column * 2),
    row: Math.round(row * 4),
  };
}
