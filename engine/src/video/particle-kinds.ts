/** Kinds of particles and their motion. */
import type { EffectName } from '../words/motion.ts';
import { shapes, type Shape } from './sprites.ts';

/** Lengths in frame units, speeds in units per second; ranges are far..near. */
export type ParticleKind = {
  count: number;
  /** `softness` as a share of the radius: 0 is a sharp edge. */
  appearance: { shape: Shape; radius: [number, number]; opacity: [number, number]; softness: number };
  /** `fall` is downwards. */
  drift: { fall: [number, number]; sway: number; wind: number };
  colours: number[];
  tumbles?: boolean;
  /** Radians, for particles that keep their direction. */
  angle?: number;
  /** True for particles attached to the product. */
  isOnProduct?: boolean;
  /** Flickers per second. */
  twinkle?: number;
};

const WHITE = [0xffffff];

export const particleKinds = {
  snow: {
    count: 150,
    appearance: { shape: shapes.disc, radius: [0.0016, 0.0062], opacity: [0.55, 0.92], softness: 0.9 },
    drift: { fall: [0.06, 0.17], sway: 0.016, wind: 0.012 },
    colours: WHITE,
  },
  rain: {
    count: 130,
    appearance: { shape: shapes.streak, radius: [0.02, 0.05], opacity: [0.12, 0.34], softness: 0.02 },
    drift: { fall: [1.1, 2], sway: 0, wind: -0.12 },
    colours: [0xe6eef8],
    angle: Math.PI / 2 + 0.08,
  },
  petals: {
    count: 34,
    appearance: { shape: shapes.petal, radius: [0.009, 0.024], opacity: [0.85, 0.97], softness: 0.12 },
    drift: { fall: [0.07, 0.15], sway: 0.045, wind: 0.035 },
    colours: [0xf7c9d4, 0xf3aebf, 0xfbe0e6, 0xee9db3],
    tumbles: true,
  },
  leaves: {
    count: 26,
    appearance: { shape: shapes.leaf, radius: [0.014, 0.034], opacity: [0.88, 0.98], softness: 0.08 },
    drift: { fall: [0.08, 0.17], sway: 0.06, wind: 0.05 },
    colours: [0xb5651d, 0xc98a2b, 0x9c4a1a, 0xd6a23e, 0x7d6b2a],
    tumbles: true,
  },
  confetti: {
    count: 80,
    appearance: { shape: shapes.paper, radius: [0.006, 0.014], opacity: [0.9, 1], softness: 0.12 },
    drift: { fall: [0.14, 0.28], sway: 0.03, wind: 0.01 },
    colours: [0xe8b23a, 0xd9534f, 0x4f9ad9, 0x5bb98c, 0xe58fb1, 0xf4f0e6],
    tumbles: true,
  },
  sparkle: {
    count: 18,
    appearance: { shape: shapes.star, radius: [0.022, 0.055], opacity: [0.6, 0.95], softness: 1 },
    drift: { fall: [0, 0], sway: 0, wind: 0 },
    colours: [0xfff7e6],
    twinkle: 0.4,
    angle: 0,
    isOnProduct: true,
  },
} satisfies Record<Exclude<EffectName, 'sweep'>, ParticleKind>;
