import { beforeAll, describe, expect, it } from 'vitest';
import { loadOpenCv } from '../pixels/opencv.ts';
import { chooseFigure } from './person.ts';
import { overlap } from './regions.ts';
import type { Segmentation } from './segmentation.ts';

beforeAll(loadOpenCv);

const [WIDTH, HEIGHT] = [120, 200];
const FACE = { left: 44, top: 20, width: 32, height: 32 };

/** A figure in a room full of things, bright on dark. */
function paintFigure(isFigure: (x: number, y: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => Number(isFigure(i % WIDTH, Math.floor(i / WIDTH))));
}

const isBody = (x: number, y: number) => y >= 66 && x > 20 && x < 100;
const isHead = (x: number, y: number) => Math.hypot(x - 60, (y - 34) * 0.9) < 22;
const body = paintFigure(isBody);
const whole = paintFigure((x, y) => isBody(x, y) || isHead(x, y) || (y > 40 && x > 52 && x < 68));

const PICTURE = {
  width: WIDTH,
  height: HEIGHT,
  rgb: Uint8Array.from({ length: 3 * whole.length }, (_, n) => 40 + 150 * whole[Math.floor(n / 3)]!),
};

function segmented(mask: Uint8Array, refusal?: string): Segmentation {
  const plane = () => new Float32Array(WIDTH * HEIGHT);
  const lab = { l: Float32Array.from(whole, (value) => 20 + 60 * value), a: plane(), b: plane() };
  const picture = { width: WIDTH, height: HEIGHT, lab, unlikeBorder: plane(), foreign: plane() };
  return { ...picture, mask, guess: mask, isDistinct: true, isPlain: false, refusal };
}

describe('a person whose head was parted from the body', () => {
  const person = { chin: 52, face: FACE, isBust: false };

  it('is shown by the outlines, when these have the face and the skeleton has not', () => {
    const chosen = chooseFigure(PICTURE, segmented(whole), { ...person, figure: body });
    expect(chosen.refusal).toBeUndefined();
    expect(overlap(chosen.mask, whole)).toBe(1);
  });

  it('is refused when neither has the face, with or without a skeleton, and however well its hair is told', () => {
    expect(chooseFigure(PICTURE, segmented(body), { ...person, figure: body }).refusal).toContain('face');
    expect(chooseFigure(PICTURE, segmented(body), person).refusal).toContain('face');
  });

  it('is shown by the skeleton, when that has the face and the outlines have not', () => {
    const chosen = chooseFigure(PICTURE, segmented(body, 'several pieces'), { ...person, figure: whole });
    expect(chosen.refusal).toBeUndefined();
    expect(overlap(chosen.mask, whole)).toBeGreaterThan(0.99);
  });
});
