import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMotion } from '../words/motion.ts';
import { cameras } from './director.ts';
import { particleKinds } from './particle-kinds.ts';

const cameraOf = (prompt: string) => readMotion(prompt, 0).camera;
const effectsOf = (prompt: string) => readMotion(prompt, 0).effects;

describe('the camera', () => {
  it.each([
    ['Slowly zoom in on the bottle', 'push-in'],
    ['dolly in, close-up', 'push-in'],
    ['zoom out to reveal the scene', 'pull-out'],
    ['the camera slowly pulls back', 'pull-out'],
    ['orbit around the product to the left', 'orbit-left'],
    ['the camera circles right around it', 'orbit-right'],
    ['pan left', 'pan-left'],
    ['a smooth pan to the right', 'pan-right'],
    ['the camera moves slowly to the left', 'pan-left'],
    ['truck right', 'pan-right'],
    ['tilt up', 'crane-up'],
    ['tilting down slowly', 'crane-down'],
    ['crane shot rising up', 'crane-up'],
    ['the camera moves down', 'crane-down'],
    ['the mug rotates on a turntable', 'turn'],
    ['360 spin', 'turn'],
    ['parallax', 'parallax'],
    ['static camera, snow', 'still'],
    ['camera pans from left to right', 'pan-right'],
    ['the camera slowly moves from left to right', 'pan-right'],
    ['camera moves right to left', 'pan-left'],
    ['from right to left', 'pan-left'],
    ['not too fast zoom out', 'pull-out'],
    ['around the product', 'orbit-right'],
    ['dont move the camera', 'still'],
  ])('%s: %s', (prompt, camera) => {
    expect(cameraOf(prompt)).toBe(camera);
  });

  it.each([
    ['hot steam rising, gentle zoom in', 'push-in'],
    ['petals spinning, pan left', 'pan-left'],
    ['snow falls around the bottle, zoom out', 'pull-out'],
  ])('is not set by motions of things: %s', (prompt, camera) => {
    expect(cameraOf(prompt)).toBe(camera);
  });

  it('follows the first word if several name a move', () => {
    expect(cameraOf('pan left, then zoom in')).toBe('pan-left');
    expect(cameraOf('zoom in, then pan left')).toBe('push-in');
  });

  it('chooses a side by the seed if none is named', () => {
    expect(readMotion('orbit', 1).camera).not.toBe(readMotion('orbit', 2).camera);
  });

  it('stays still on request, and an effect moves instead', () => {
    const plan = readMotion('do not move the camera', 0);
    expect(plan.camera).toBe('still');
    expect(plan.effects.length).toBeGreaterThan(0);
  });
});

describe('effects', () => {
  it.each([
    ['snow falls gently', ['snow']],
    ['rainy window', ['rain']],
    ['a rainbow of colours', []],
    ['cherry blossom petals drift by', ['petals']],
    ['autumn leaves', ['leaves']],
    ['confetti party', ['confetti']],
    ['water ripples', []],
    ['light sweep and sparkles', ['sparkle', 'sweep']],
    ['light snow', ['snow']],
    ['orbit a water bottle before a light blue background', []],
    ['zoom in on a waterproof jacket', []],
    ['snow-white background, orbit', []],
    ['dust-free shelf, petal pink dress, steam iron, pan left', []],
    ['it leaves the frame', []],
  ])('%s: %s', (prompt, effects) => {
    const found = effectsOf(prompt).filter((effect) => effects.length > 0 || effect !== 'sweep');
    expect(found).toEqual(effects);
  });

  it('exclude what is excluded within its clause', () => {
    expect(effectsOf('winter scene with petals, no snow')).toEqual(['petals']);
    expect(effectsOf('without snow or rain, but with confetti')).toEqual(['confetti']);
    expect(cameraOf("don't zoom, pan left")).toBe('pan-left');
  });

  it('combines one camera with any effects', () => {
    expect(readMotion('slow orbit left with snow and a light sweep', 0)).toEqual({
      camera: 'orbit-left',
      effects: ['snow', 'sweep'],
      pace: 0.6,
      understood: ['slow orbit left', 'snow', 'light sweep'],
      notDrawn: [],
    });
  });
});

describe('unknown words', () => {
  it('get a push-in with a sweep of light', () => {
    for (const prompt of ['', 'asdf qwer', '日本語', '!!!', 'x'.repeat(2000)]) {
      expect(readMotion(prompt, 0)).toMatchObject({ camera: 'push-in', effects: ['sweep'], pace: 1 });
    }
  });
});

describe('pace', () => {
  it.each([
    ['gentle zoom', 0.6],
    ['fast, dynamic zoom', 1.5],
    ['zoom', 1],
  ])('%s: %f', (prompt, pace) => {
    expect(readMotion(prompt, 0).pace).toBe(pace);
  });
});

const WORDS =
  'no not pan left right up slowly zoom in orbit the snow steam and with , . — turn gira nieve 旋转 雪 ثلج 360'.split(
    ' ',
  );

describe('any prompt', () => {
  const prompt = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' ')),
  );

  it('has one known camera move and known effects, and reports only its own words', () => {
    fc.assert(
      fc.property(prompt, fc.nat(9), fc.boolean(), (text, seed, hasProduct) => {
        const plan = readMotion(text, seed, hasProduct);
        expect(cameras).toHaveProperty([plan.camera]);
        expect(plan.effects.every((effect) => effect === 'sweep' || effect in particleKinds)).toBe(true);
        expect([0.6, 1, 1.5]).toContain(plan.pace);
        for (const phrase of [...plan.understood, ...plan.notDrawn]) {
          expect(text.toLowerCase()).toContain(phrase.toLowerCase());
          expect(phrase.length).toBeLessThanOrEqual(80);
        }
      }),
    );
  });

  it('is read deterministically', () => {
    fc.assert(
      fc.property(prompt, (text) => {
        expect(readMotion(text, 3)).toEqual(readMotion(text, 3));
      }),
      { numRuns: 30 },
    );
  });
});
