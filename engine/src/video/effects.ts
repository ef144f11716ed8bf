import type { Effect } from './effect.ts';
import { makeHoverShadow } from './hover-shadow.ts';
import { makeRays, makeSweep } from './light.ts';
import { ease } from './moves.ts';
import type { EffectName, ParticleName } from '../words/motion.ts';
import { particleKinds } from './particle-kinds.ts';
import { makeParticles } from './particles.ts';
import type { Stage } from './stage.ts';
import { makeFog, makeSteam } from './vapour.ts';

/** Makes an effect for one stage; chance follows `seed`. */
type EffectMaker = (stage: Stage, seed: number) => Effect;

const particleMakers = Object.fromEntries(
  Object.entries(particleKinds).map(([name, kind]) => [
    name,
    (stage: Stage, seed: number) => makeParticles(kind, stage, seed),
  ]),
) as Record<ParticleName, EffectMaker>;

/** Everything that motion words can add to a camera move. */
export const effectMakers = {
  sweep: makeSweep,
  rays: makeRays,
  steam: makeSteam,
  fog: makeFog,
  focus: () => ({ blur: ({ t }) => ease(Math.min(1, 1.3 * t)) }),
  'hover-shadow': makeHoverShadow,
  ...particleMakers,
} satisfies Record<EffectName, EffectMaker>;
