import { describe, expect, it } from 'vitest';
import { drawMask, fillWith } from '../../test/draw.ts';
import { drawFace, makeFace } from '../../test/face.ts';
import type { Mask } from '../pixels/plane.ts';
import { refuseHiddenFace, refuseOtherTurn } from './refusals.ts';
import { findHidden } from './visible-face.ts';

const SIZE = { width: 160, height: 190 };
const face = makeFace({ left: 40, top: 45, width: 80, height: 104 });
const picture = drawFace(SIZE, face);

/** Round both eyes: the middles lie at .3 and .7 across and .4 down the face. */
const glasses = drawMask(SIZE, (x, y) => Math.hypot(x - 64, y - 86.6) < 12 || Math.hypot(x - 96, y - 86.6) < 12);
const hat: Mask = drawMask(SIZE, (_, y) => y < 76);

describe('what hides a face', () => {
  it('is nothing', async () => {
    expect(await findHidden(picture, face)).toBeUndefined();
  });

  it.each([
    ['dark glasses', glasses, [15, 15, 18], 'eyes'],
    ['glasses that mirror the sky', glasses, [250, 252, 255], 'eyes'],
    ['a hat', hat, [40, 60, 120], 'forehead'],
    ['a fringe', hat, [35, 25, 20], 'forehead'],
  ] as const)('is told: %s', async (_, mask, colour, hidden) => {
    const worn = fillWith(picture, mask, colour);
    expect(await findHidden(worn, face)).toBe(hidden);
    await expect(refuseHiddenFace(worn, face, 'face_image_0')).rejects.toMatchObject({
      entry: { loc: ['body', 'face_image_0'], type: 'face_detection_error' },
    });
  });

  it('is no thin frame and no high hairline', async () => {
    const ring = drawMask(SIZE, (x, y) => Math.abs(Math.hypot(x - 64, y - 86.6) - 11) < 1);
    expect(await findHidden(fillWith(picture, ring, [15, 15, 18]), face)).toBeUndefined();
    const hairline = drawMask(SIZE, (_, y) => y < 52);
    expect(await findHidden(fillWith(picture, hairline, [35, 25, 20]), face)).toBeUndefined();
  });

  it('is told alike whatever the size of the picture', async () => {
    const large = makeFace({ left: 100, top: 113, width: 200, height: 260 });
    const size = { width: 400, height: 475 };
    const shades = drawMask(size, (x, y) => Math.hypot(x - 160, y - 217) < 30 || Math.hypot(x - 240, y - 217) < 30);
    expect(await findHidden(drawFace(size, large), large)).toBeUndefined();
    expect(await findHidden(fillWith(drawFace(size, large), shades, [15, 15, 18]), large)).toBe('eyes');
  });
});

describe('two heads', () => {
  it.each([
    ['that look the same way', {}, {}, false],
    ['of which one is tilted to its side', { rollDeg: 80 }, {}, false],
    ['of which one looks up', { pitchDeg: 26 }, {}, true],
    ['that look to opposite sides', { yawDeg: -14 }, { yawDeg: 14 }, true],
    ['that look to one side', { yawDeg: 40 }, { yawDeg: 30 }, false],
  ])('%s', (_, one, other, isRefused) => {
    const refuse = () => refuseOtherTurn({ ...face, ...one }, { ...face, ...other }, 'face_image_0');
    if (isRefused) expect(refuse).toThrow('turned too far');
    else expect(refuse).not.toThrow();
  });
});
