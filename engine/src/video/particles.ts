/** Drifting particles: a third of them behind the product, near ones larger and faster than far ones. */
import { smoothStep } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import type { ParticleKind } from './particle-kinds.ts';
import type { Canvas, Effect, Moment } from './canvas.ts';
import { boxAt } from './pose.ts';
import { drawSprite, type Sprite } from './sprites.ts';
import type { Stage } from './stage.ts';
import { toYuvColour } from './yuv.ts';

const FADE_SECONDS = 0.7;
const BEHIND = 1 / 3;

/** Makes the particles of one kind; deterministic by seed. */
export function makeParticles(kind: ParticleKind, stage: Stage, seed: number): Effect {
  const unit = Math.sqrt(stage.frame.width * stage.frame.height);
  const particles = Array.from({ length: kind.count }, (_, n) =>
    makeParticle(kind, unit, n / kind.count, seed + n * 7919),
  );
  const drawAll = (some: Particle[]) => (canvas: Canvas, moment: Moment) => {
    for (const particle of some) drawSprite(canvas, toSprite(particle, stage, moment), kind.appearance.shape);
  };
  return {
    behind: drawAll(particles.filter(({ depth }) => depth < BEHIND)),
    front: drawAll(particles.filter(({ depth }) => depth >= BEHIND)),
  };
}

type Particle = ReturnType<typeof makeParticle>;

/** A particle's parameters, 0..1 unless stated otherwise; `depth` from 0 (far) to 1 (near), `radius` in pixels. */
function makeParticle(kind: ParticleKind, unit: number, depth: number, seed: number) {
  const random = makeRandom(seed);
  const own = { x: random(), y: random(), phase: random(), turn: random() - 0.5 };
  const radius = mix(kind.appearance.radius, depth) * unit * (0.8 + 0.4 * random());
  const hex = kind.colours[Math.floor(random() * kind.colours.length)]!;
  return { ...own, kind, unit, depth, radius, colour: toYuvColour(hex >> 16, (hex >> 8) & 255, hex & 255) };
}

/** A particle's appearance at one moment. */
function toSprite(particle: Particle, stage: Stage, moment: Moment): Sprite {
  const { kind, depth, radius, phase, colour } = particle;
  const { seconds } = moment;
  const tumbling = Math.abs(Math.cos(Math.PI * ((0.35 + 0.4 * phase) * seconds + particle.x)));
  return {
    ...(kind.isOnProduct ? placeOnProduct(particle, stage, moment) : placeInAir(particle, stage, moment)),
    radius,
    angle: kind.angle ?? 2 * Math.PI * (phase + particle.turn * 0.5 * seconds) + 0.5 * swing(particle, seconds),
    tumble: kind.tumbles ? tumbling : 1,
    colour,
    opacity: mix(kind.appearance.opacity, depth) * smoothStep(0, FADE_SECONDS, seconds) * glimmer(particle, seconds),
    softness: Math.max(1, kind.appearance.softness * radius),
  };
}

/** Wraps around: a particle that leaves the frame re-enters on the other side. */
function placeInAir({ kind, depth, radius, unit, ...particle }: Particle, { frame }: Stage, { seconds }: Moment) {
  const { fall, sway, wind } = kind.drift;
  const pad = 2 * radius;
  const [wide, lap] = [frame.width + 2 * pad, frame.height + 2 * pad];
  const fallen = particle.y * lap + mix(fall, depth) * unit * seconds;
  const across = particle.x * wide + wind * unit * seconds;
  return {
    x: (((across % wide) + wide) % wide) - pad + sway * unit * swing(particle, seconds),
    y: (fallen % lap) - pad,
  };
}

/** Without a product: anywhere. */
function placeOnProduct({ x, y }: Particle, stage: Stage, { pose }: Moment) {
  const { width, height } = stage.frame;
  const box = boxAt(stage, pose) ?? { left: 0, top: 0, right: width, bottom: height };
  return { x: box.left + x * (box.right - box.left), y: box.top + y * (box.bottom - box.top) };
}

function swing({ phase }: { phase: number }, seconds: number): number {
  return Math.sin(2 * Math.PI * ((0.22 + 0.2 * phase) * seconds + phase));
}

function mix([far, near]: [number, number], depth: number): number {
  return far + (near - far) * depth;
}

function glimmer({ kind: { twinkle }, phase }: Particle, seconds: number): number {
  if (twinkle === undefined) return 1;
  return smoothStep(-1, 1, -Math.cos(2 * Math.PI * (twinkle * (0.7 + 0.6 * phase) * seconds + phase)));
}
