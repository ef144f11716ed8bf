// What drifts through the air: a third of it behind the product, near things larger and faster than far ones.
import { makeRandom } from '../pixels/random.ts';
import type { Canvas } from './canvas.ts';
import type { Effect, Moment } from './effect.ts';
import { ease } from './moves.ts';
import { drawSprite, shapes, type Shape } from './sprites.ts';
import { toYuvColour } from './yuv.ts';

/** Lengths as shares of the frame's unit, speeds as shares a second; ranges are far..near. */
interface Air {
  shape: Shape;
  count: number;
  radius: [number, number];
  /** Downwards. */
  fall: [number, number];
  sway: number;
  wind: number;
  opacity: [number, number];
  /** Of the radius: 0 is a sharp edge. */
  softness: number;
  colours: number[];
  isLight?: boolean;
  tumbles?: boolean;
  /** Radians; things that keep their direction. */
  angle?: number;
  /** Comes and goes this often a second. */
  twinkle?: number;
}

const WHITE = [0xffffff];

const airs = {
  snow: {
    shape: shapes.disc,
    count: 150,
    radius: [0.0016, 0.0062],
    fall: [0.06, 0.17],
    sway: 0.016,
    wind: 0.012,
    opacity: [0.55, 0.92],
    softness: 0.9,
    colours: WHITE,
  },
  rain: {
    shape: shapes.streak,
    count: 130,
    radius: [0.02, 0.05],
    fall: [1.1, 2],
    sway: 0,
    wind: -0.12,
    opacity: [0.12, 0.34],
    softness: 0.02,
    colours: [0xe6eef8],
    angle: Math.PI / 2 + 0.08,
  },
  petals: {
    shape: shapes.petal,
    count: 24,
    radius: [0.008, 0.021],
    fall: [0.07, 0.15],
    sway: 0.045,
    wind: 0.035,
    opacity: [0.85, 0.97],
    softness: 0.12,
    colours: [0xf7c9d4, 0xf3aebf, 0xfbe0e6, 0xee9db3],
    tumbles: true,
  },
  leaves: {
    shape: shapes.leaf,
    count: 18,
    radius: [0.012, 0.028],
    fall: [0.08, 0.17],
    sway: 0.06,
    wind: 0.05,
    opacity: [0.88, 0.98],
    softness: 0.08,
    colours: [0xb5651d, 0xc98a2b, 0x9c4a1a, 0xd6a23e, 0x7d6b2a],
    tumbles: true,
  },
  confetti: {
    shape: shapes.paper,
    count: 64,
    radius: [0.005, 0.011],
    fall: [0.14, 0.28],
    sway: 0.03,
    wind: 0.01,
    opacity: [0.9, 1],
    softness: 0.12,
    colours: [0xe8b23a, 0xd9534f, 0x4f9ad9, 0x5bb98c, 0xe58fb1, 0xf4f0e6],
    tumbles: true,
  },
  dust: {
    shape: shapes.disc,
    count: 70,
    radius: [0.0018, 0.0055],
    fall: [-0.012, -0.03],
    sway: 0.02,
    wind: 0.014,
    opacity: [0.16, 0.5],
    softness: 1.4,
    colours: [0xfff1d6, 0xffe3b0],
    isLight: true,
    twinkle: 0.35,
  },
  bokeh: {
    shape: shapes.lens,
    count: 22,
    radius: [0.02, 0.06],
    fall: [-0.01, -0.025],
    sway: 0.02,
    wind: 0.01,
    opacity: [0.1, 0.24],
    softness: 0.5,
    colours: [0xffd9a0, 0xffc27a, 0xfff0d8],
    isLight: true,
    twinkle: 0.2,
  },
  bubbles: {
    shape: shapes.ring,
    count: 26,
    radius: [0.008, 0.026],
    fall: [-0.06, -0.14],
    sway: 0.02,
    wind: 0,
    opacity: [0.35, 0.7],
    softness: 0.1,
    colours: [0xf2fbff, 0xe6f4ff],
    isLight: true,
  },
  sparkle: {
    shape: shapes.star,
    count: 16,
    radius: [0.018, 0.045],
    fall: [0, 0],
    sway: 0,
    wind: 0,
    opacity: [0.6, 0.95],
    softness: 1,
    colours: [0xfff7e6],
    isLight: true,
    twinkle: 0.4,
    angle: 0,
  },
} satisfies Record<string, Air>;

export type AirName = keyof typeof airs;
export const airNames = Object.keys(airs) as AirName[];

const FADE_SECONDS = 0.7;
const BEHIND = 1 / 3;

/** The particles of one kind; the same seed lets the same ones fall. */
export function makeParticles(name: AirName, unit: number, seed: number): Effect {
  const air: Air = airs[name];
  const particles = Array.from({ length: air.count }, (_, n) =>
    makeParticle(air, unit, n / air.count, seed + n * 7919),
  );
  const far = particles.filter(({ depth }) => depth < BEHIND);
  const near = particles.filter(({ depth }) => depth >= BEHIND);
  return {
    behind: (canvas, moment) => far.forEach((particle) => particle.draw(canvas, moment)),
    front: (canvas, moment) => near.forEach((particle) => particle.draw(canvas, moment)),
  };
}

interface Particle {
  /** 0 far .. 1 near. */
  depth: number;
  draw: (canvas: Canvas, moment: Moment) => void;
}

function makeParticle(air: Air, unit: number, depth: number, seed: number): Particle {
  const random = makeRandom(seed);
  const between = ([far, near]: [number, number]) => far + (near - far) * depth;
  const start = { x: random(), y: random(), phase: random(), turn: random() - 0.5 };
  const radius = between(air.radius) * unit * (0.8 + 0.4 * random());
  const hex = air.colours[Math.floor(random() * air.colours.length)]!;
  const colour = toYuvColour(hex >> 16, (hex >> 8) & 255, hex & 255);
  const pad = 2 * radius;
  const draw = (canvas: Canvas, { seconds, pose }: Moment) => {
    const fallen = start.y * (canvas.height + 2 * pad) + between(air.fall) * unit * seconds;
    const lap = Math.floor(fallen / (canvas.height + 2 * pad));
    const again = lap === 0 ? start.x : makeRandom(seed + 31 * lap)();
    const swing = Math.sin(2 * Math.PI * ((0.22 + 0.2 * start.phase) * seconds + start.phase));
    const across = again * (canvas.width + 2 * pad) + air.wind * unit * seconds;
    const nearness = 0.4 + 0.9 * depth;
    drawSprite(
      canvas,
      {
        x: wrap(across, canvas.width + 2 * pad) - pad + air.sway * unit * swing + pose.x * nearness + pose.turnX,
        y: fallen - lap * (canvas.height + 2 * pad) - pad + pose.y * nearness + pose.turnY,
        radius,
        angle: air.angle ?? 2 * Math.PI * (start.phase + start.turn * 0.5 * seconds) + 0.5 * swing,
        tumble: air.tumbles ? Math.abs(Math.cos(Math.PI * ((0.35 + 0.4 * start.phase) * seconds + start.x))) : 1,
        colour,
        opacity: between(air.opacity) * ease(Math.min(1, seconds / FADE_SECONDS)) * glimmer(air, start.phase, seconds),
        softness: Math.max(1, air.softness * radius),
        ...(air.isLight && { isLight: true }),
      },
      air.shape,
    );
  };
  return { depth, draw };
}

function wrap(value: number, length: number): number {
  return ((value % length) + length) % length;
}

function glimmer({ twinkle }: Air, phase: number, seconds: number): number {
  if (twinkle === undefined) return 1;
  const wave = 0.5 - 0.5 * Math.cos(2 * Math.PI * (twinkle * (0.7 + 0.6 * phase) * seconds + phase));
  return wave * wave * (3 - 2 * wave);
}
