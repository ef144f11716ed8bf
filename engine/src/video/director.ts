import type { Effect } from './canvas.ts';
import { makeSweep } from './light.ts';
import type { EffectName, MotionPlan } from '../words/motion.ts';
import { cameras, ease, loopPoseAt, type Measures, poseAt } from './moves.ts';
import { particleKinds } from './particle-kinds.ts';
import { makeParticles } from './particles.ts';
import { findRoom, scalePose, type StagePose } from './pose.ts';
import type { Stage } from './stage.ts';

/** The script: pose and effects of each frame. */
export type Script = { poses: StagePose[]; effects: Effect[] };

const TOO_TIGHT = 0.45; // remaining share of a move below which the camera first steps back
const STEP_BACK = 0.09;

/** Plans `frames` frames in which the product always stays inside the frame. */
export function direct(stage: Stage, plan: MotionPlan, frames: number, seed: number): Script {
  const measures = measure(stage, seed);
  const move = cameras[plan.camera];
  const poses = Array.from({ length: frames }, (_, n) => {
    const t = n / (frames - 1);
    return scalePose({ ...poseAt(move, t, measures), ...(plan.keepsSize && { push: 0 }) }, plan.pace);
  });
  return {
    poses: keepInFrame(stage, poses, plan.keepsSize),
    effects: plan.effects.map((name) => makeEffect(name, stage, seed)),
  };
}

/** Makes an effect that words request: particles of a kind, or a sweep of light. */
export function makeEffect(name: EffectName, stage: Stage, seed: number): Effect {
  return name === 'sweep' ? makeSweep() : makeParticles(particleKinds[name], stage, seed);
}

/** Plans a seamless loop of `frames` frames: the first frame follows the last one. */
export function directLoop(stage: Stage, frames: number, seed: number): Script {
  const measures = measure(stage, seed);
  const poses = Array.from({ length: frames }, (_, n) => loopPoseAt(n / frames, measures));
  return { poses: scaleAll(poses, Math.max(MIN_LOOP, findRoom(stage, poses))), effects: [] };
}

const MIN_LOOP = 0.4; // least share of the move: a product that fills its photo may touch the frame

function measure({ frame }: Stage, seed: number): Measures {
  return { unit: Math.sqrt(frame.width * frame.height), seed };
}

/** If the product lacks room for the move, the camera steps back meanwhile, or moves less. */
function keepInFrame(stage: Stage, poses: StagePose[], keepsSize = false): StagePose[] {
  const room = findRoom(stage, poses);
  if (room >= TOO_TIGHT || keepsSize) return scaleAll(poses, room);
  const steppedBack = poses.map((pose, n) => ({ ...pose, push: -STEP_BACK * ease(n / (poses.length - 1)) }));
  return scaleAll(steppedBack, Math.max(room, findRoom(stage, steppedBack)));
}

function scaleAll(poses: StagePose[], share: number): StagePose[] {
  return poses.map((pose) => scalePose(pose, share));
}
