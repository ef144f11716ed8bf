import { beforeAll, describe, expect, it } from 'vitest';
import { loadOpenCv } from '../pixels/opencv.ts';
import { chooseFigure } from './person.ts';
import { overlap } from './regions.ts';
import type { Segmentation } from './segmentation.ts';

beforeAll(loadOpenCv);

const [WIDTH, HEIGHT] = [60, 100];
const PICTURE = { width: WIDTH, height: HEIGHT, rgb: new Uint8Array(WIDTH * HEIGHT * 3) };
const FACE = { left: 22, top: 8, width: 16, height: 18 };

/** A figure in a room full of things, bright on dark. */
function paintFigure(isFigure: (x: number, y: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => Number(isFigure(i % WIDTH, Math.floor(i / WIDTH))));
}

const isBody = (x: number, y: number) => y >= 30 && x > 10 && x < 50;
const isHead = (x: number, y: number) => Math.hypot(x - 30, (y - 17) * 0.9) < 11;
const body = paintFigure(isBody);
const whole = paintFigure((x, y) => isBody(x, y) || isHead(x, y) || (y > 20 && x > 26 && x < 34));

function segmented(mask: Uint8Array, refusal?: string): Segmentation {
  const plane = () => new Float32Array(WIDTH * HEIGHT);
  const lab = { l: Float32Array.from(whole, (value) => 20 + 60 * value), a: plane(), b: plane() };
  const picture = { width: WIDTH, height: HEIGHT, lab, unlikeBorder: plane(), foreign: plane() };
  return { ...picture, mask, guess: mask, isDistinct: true, isPlain: false, refusal };
}

describe('a person whose head was parted from the body', () => {
  const person = { chin: 26, face: FACE, isBust: false };

  it('is shown by the outlines, when these have the face and the skeleton has not', () => {
    const chosen = chooseFigure(PICTURE, segmented(whole), { ...person, figure: body });
    expect(chosen.refusal).toBeUndefined();
    expect(overlap(chosen.mask, whole)).toBe(1);
  });

  it('is refused when neither has the face, with or without a skeleton', () => {
    expect(chooseFigure(PICTURE, segmented(body), { ...person, figure: body }).refusal).toContain('face');
    expect(chooseFigure(PICTURE, segmented(body), person).refusal).toContain('face');
  });

  it('is shown by the skeleton, when that has the face and the outlines have not', () => {
    const chosen = chooseFigure(PICTURE, segmented(body, 'several pieces'), { ...person, figure: whole });
    expect(chosen.refusal).toBeUndefined();
    expect(overlap(chosen.mask, whole)).toBe(1);
  });
});
