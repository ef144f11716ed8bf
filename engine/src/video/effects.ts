import type { Effect } from './effect.ts';
import { makeHoverShadow } from './hover-shadow.ts';
import { makeRays, makeSweep } from './light.ts';
import { ease } from './moves.ts';
import { makeParticles } from './particles.ts';
import type { Stage } from './stage.ts';
import { makeFog, makeSteam } from './vapour.ts';
import { makeWater } from './water.ts';

/** Makes an effect for one stage; lengths follow `unit` (pixels), chance follows `seed`. */
type EffectMaker = (stage: Stage, unit: number, seed: number) => Effect;

/** Everything that motion words can add to a camera move. */
export const effectMakers = {
  sweep: () => makeSweep(),
  rays: ({ frame }, _, seed) => makeRays(frame.width, frame.height, seed),
  steam: (stage, _, seed) => makeSteam(stage, seed),
  fog: (stage, _, seed) => makeFog(stage, seed),
  water: (stage) => makeWater(stage),
  focus: () => ({ blur: ({ t }) => ease(Math.min(1, 1.3 * t)) }),
  snow: (_, unit, seed) => makeParticles('snow', unit, seed),
  rain: (_, unit, seed) => makeParticles('rain', unit, seed),
  petals: (_, unit, seed) => makeParticles('petals', unit, seed),
  leaves: (_, unit, seed) => makeParticles('leaves', unit, seed),
  confetti: (_, unit, seed) => makeParticles('confetti', unit, seed),
  dust: (_, unit, seed) => makeParticles('dust', unit, seed),
  bokeh: (_, unit, seed) => makeParticles('bokeh', unit, seed),
  bubbles: (_, unit, seed) => makeParticles('bubbles', unit, seed),
  sparkle: (_, unit, seed) => makeParticles('sparkle', unit, seed),
  'hover-shadow': (stage) => makeHoverShadow(stage),
} satisfies Record<string, EffectMaker>;

export type EffectName = keyof typeof effectMakers;
