import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import type { Plane } from '../pixels/plane.ts';
import { chooseFrame } from './frame.ts';

const SHAPE = { width: 768, height: 960 };
const PHOTO = { width: 400, height: 500 };
/** A head of 60 x 100 with its crown at `top`, on shoulders `half` to both sides. */
const person = (top: number, half: number, size = PHOTO) =>
  drawPlane(size, (x, y) => {
    const isHead = Math.hypot((x - 200) / 34, (y - top - 55) / 55) < 1;
    return isHead || (y > top + 100 && Math.abs(x - 200) < half) ? 1 : 0;
  });
const face = (top: number) => makeFace({ left: 170, top: top + 25, width: 60, height: 80 });

describe('a frame', () => {
  it("has the portrait's aspect ratio, a centred head with headroom, and lies within the photo", () => {
    const frame = chooseFrame(face(120), person(120, 110), SHAPE)!;
    expect(frame.width / frame.height).toBeCloseTo(0.8);
    expect(frame.left + frame.width / 2).toBeCloseTo(200, -0.5);
    expect((120 - frame.top) / frame.height).toBeCloseTo(0.13, 1);
    expect(frame.top + frame.height).toBeLessThanOrEqual(PHOTO.height);
  });

  it('is closer if the photo ends below the chin', () => {
    const size = { width: 400, height: 300 };
    const frame = chooseFrame(face(100), person(100, 110, size), SHAPE)!;
    expect(frame.top + frame.height).toBeLessThanOrEqual(300.5);
    expect((100 - frame.top) / frame.height).toBeLessThan(0.17);
  });

  it('extends beyond the photo only where the person does not touch its edge', () => {
    const narrow = { width: 240, height: 500 };
    const crop = (whole: Plane) => drawPlane(narrow, (x, y) => whole.data[y * 400 + x + 80]!);
    const moved = crop(person(120, 70));
    const moveFace = makeFace({ left: 90, top: 145, width: 60, height: 80 });
    expect(chooseFrame(moveFace, moved, SHAPE)!.width).toBeGreaterThan(0);
    const cut = crop(person(120, 400));
    const frame = chooseFrame(moveFace, cut, SHAPE)!;
    expect(frame.left).toBeGreaterThanOrEqual(-1);
    expect(frame.left + frame.width).toBeLessThanOrEqual(241);
  });

  it('is undefined if the photo ends too closely below the head', () => {
    const size = { width: 400, height: 220 };
    expect(chooseFrame(face(100), person(100, 110, size), SHAPE)).toBeUndefined();
  });

  it('is undefined if the photo shows only the face', () => {
    const close = drawPlane({ width: 90, height: 110 }, () => 1);
    expect(chooseFrame(makeFace({ left: 10, top: 10, width: 70, height: 95 }), close, SHAPE)).toBeUndefined();
  });
});
