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
  snow: (stage, unit, seed) => makeParticles('snow', stage, unit, seed),
  rain: (stage, unit, seed) => makeParticles('rain', stage, unit, seed),
  petals: (stage, unit, seed) => makeParticles('petals', stage, unit, seed),
  leaves: (stage, unit, seed) => makeParticles('leaves', stage, unit, seed),
  confetti: (stage, unit, seed) => makeParticles('confetti', stage, unit, seed),
  dust: (stage, unit, seed) => makeParticles('dust', stage, unit, seed),
  bokeh: (stage, unit, seed) => makeParticles('bokeh', stage, unit, seed),
  bubbles: (stage, unit, seed) => makeParticles('bubbles', stage, unit, seed),
  sparkle: (stage, unit, seed) => makeParticles('sparkle', stage, unit, seed),
  'hover-shadow': (stage) => makeHoverShadow(stage),
} satisfies Record<string, EffectMaker>;

export type EffectName = keyof typeof effectMakers;
