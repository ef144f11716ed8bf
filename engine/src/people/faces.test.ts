import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { BUST, makeBust } from '../../test/bust.ts';
import { drawRgb, fillWith, drawMask } from '../../test/draw.ts';
import { makeFace, NOSE, PLAIN_FACE } from '../../test/face.ts';
import type { Box, Rgb } from '../pixels/plane.ts';
import { dilate, fillPolygon } from '../pixels/mask.ts';
import { findJoints } from './bodies.ts';
import { boxAround, findFaces } from './faces.ts';
import { CHIN, INNER_FACE, LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_BROW, RIGHT_EYE } from './landmarks.ts';
import { getOnlyFace, isTurnedOver } from './refusals.ts';
import { pick } from './skin.ts';
import { Refusal } from '../refusal.ts';

/** People before one wall, each drawn by `makeBust`. */
function paste(size: { width: number; height: number }, people: { picture: Rgb; left: number; top: number }[]): Rgb {
  const wall = drawRgb(size, () => PLAIN_FACE.wall);
  for (const { picture, left, top } of people) {
    for (let y = 0; y < picture.height; y += 1) {
      for (let x = 0; x < picture.width; x += 1) {
        const [px, py] = [left + x, top + y];
        if (px < 0 || py < 0 || px >= size.width || py >= size.height) continue;
        const from = 3 * (y * picture.width + x);
        wall.data.set(picture.data.subarray(from, from + 3), 3 * (py * size.width + px));
      }
    }
  }
  return wall;
}

async function turn({ data: pixels, width, height }: Rgb, degrees: number): Promise<Rgb> {
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(degrees, { background: { r: 128, g: 128, b: 128 } })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

const { picture, face: drawn } = makeBust({ hangs: 0.4 });
const middleOf = ({ left, top, width, height }: Box) => ({ x: left + width / 2, y: top + height / 2 });
const small = (share: number) => {
  const size = { width: Math.round(BUST.width * share), height: Math.round(BUST.height * share) };
  const face = { left: 70 * share, top: 75 * share, width: 60 * share, height: 80 * share };
  return makeBust({ size, face, hangs: 0.4 }).picture;
};

describe('a detected face', () => {
  it('is where it was drawn, frontal', async () => {
    const [face, ...others] = await findFaces(picture);
    expect(others).toEqual([]);
    expect(face!.points).toHaveLength(468);
    expect(face!.box).toEqual(boxAround(face!.points));
    const [detected, wanted] = [middleOf(face!.box), middleOf(drawn.box)];
    expect(Math.hypot(detected.x - wanted.x, detected.y - wanted.y)).toBeLessThan(12);
    expect(Math.abs(face!.box.width / drawn.box.width - 1)).toBeLessThan(0.15);
    expect(Math.abs(face!.yawDeg)).toBeLessThan(8);
  });

  it('has landmarks in order: eyes above nose, nose above chin, its right on our left', async () => {
    const [{ points }] = (await findFaces(picture)) as [typeof drawn];
    const [right, left] = [boxAround(pick(points, RIGHT_EYE)), boxAround(pick(points, LEFT_EYE))];
    expect(middleOf(right).x).toBeLessThan(middleOf(left).x);
    expect(middleOf(right).y).toBeLessThan(points[NOSE]!.y);
    expect(points[NOSE]!.y).toBeLessThan(points[CHIN]!.y);
  });

  it('is found equally in a wide and a high picture', async () => {
    const [own] = await findFaces(picture);
    for (const [size, left, top] of [
      [{ width: 420, height: 260 }, 200, 0],
      [{ width: 200, height: 420 }, 0, 100],
    ] as const) {
      const [face] = await findFaces(paste(size, [{ picture, left, top }]));
      expect(Math.abs(face!.box.left - own!.box.left - left)).toBeLessThan(6);
      expect(Math.abs(face!.box.top - own!.box.top - top)).toBeLessThan(6);
    }
  });

  it.each([-40, 20, 60])('is rotated by %i degrees together with its landmarks', async (degrees) => {
    const [upright] = await findFaces(picture);
    const turned = await turn(picture, degrees);
    const [face, ...others] = await findFaces(turned);
    expect(others).toEqual([]);
    const angle = (degrees * Math.PI) / 180;
    const near = 0.1 * upright!.box.width;
    for (const landmark of [CHIN, NOSE, RIGHT_EYE[0], LEFT_EYE[0], OVAL[0]]) {
      const [dx, dy] = [upright!.points[landmark]!.x - BUST.width / 2, upright!.points[landmark]!.y - BUST.height / 2];
      const { x, y } = face!.points[landmark]!;
      expect(Math.abs(x - turned.width / 2 - dx * Math.cos(angle) + dy * Math.sin(angle))).toBeLessThan(near);
      expect(Math.abs(y - turned.height / 2 - dx * Math.sin(angle) - dy * Math.cos(angle))).toBeLessThan(near);
    }
  });

  it('is sorted after a larger one', async () => {
    const both = paste({ width: 400, height: 260 }, [
      { picture: small(0.7), left: 10, top: 60 },
      { picture, left: 200, top: 0 },
    ]);
    const faces = await findFaces(both);
    expect(faces).toHaveLength(2);
    expect(faces[0]!.box.left).toBeGreaterThan(200);
    expect(faces[1]!.box.left).toBeLessThan(150);
  });

  it('does not depend on the previous picture', async () => {
    const [first] = await findFaces(picture);
    await findFaces(small(0.7));
    expect(await findFaces(picture)).toEqual([first]);
  });

  it.each([
    ['one colour', drawRgb({ width: 90, height: 120 }, () => [130, 130, 130])],
    ['stripes', drawRgb({ width: 120, height: 90 }, (x) => (x % 12 < 6 ? [200, 150, 125] : [40, 60, 110]))],
    ['one pixel', drawRgb({ width: 1, height: 1 }, () => [200, 150, 125])],
  ])('is absent in a picture of %s', async (_, empty) => {
    expect(await findFaces(empty)).toEqual([]);
  });
});

describe('landmark names, on a detected mesh', async () => {
  const [{ points }] = (await findFaces(picture)) as [typeof drawn];
  const outline = dilate(fillPolygon(pick(points, OVAL), BUST), 1);
  const middle = (landmarks: readonly number[]) => middleOf(boxAround(pick(points, landmarks)));
  const FEATURES = { LEFT_BROW, RIGHT_BROW, LEFT_EYE, RIGHT_EYE, LIPS };

  it('are unique, and no two features share one', () => {
    for (const part of [OVAL, INNER_FACE, ...Object.values(FEATURES)]) {
      expect(new Set(part).size).toBe(part.length);
      expect(Math.max(...part)).toBeLessThan(468);
    }
    const all = Object.values(FEATURES).flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it('follow the outline clockwise from the forehead, with the chin lowest', () => {
    const oval = pick(points, OVAL);
    const centre = middleOf(boxAround(oval));
    const angles = oval.map(({ x, y }) => Math.atan2(y - centre.y, x - centre.x));
    const steps = angles.map((angle, n) => {
      const step = angles[(n + 1) % angles.length]! - angle;
      return step < -Math.PI ? step + 2 * Math.PI : step;
    });
    for (const step of steps) expect(step).toBeGreaterThan(0);
    expect(steps.reduce((sum, step) => sum + step, 0)).toBeCloseTo(2 * Math.PI, 6);
    expect(OVAL[OVAL.length / 2]).toBe(CHIN);
    expect(points[OVAL[0]]!.y).toBe(Math.min(...oval.map(({ y }) => y)));
    expect(points[CHIN]!.y).toBe(Math.max(...oval.map(({ y }) => y)));
  });

  it.each(Object.entries({ ...FEATURES, INNER_FACE }))('lie inside the outline: %s', (_, part) => {
    for (const { x, y } of pick(points, part)) expect(outline.data[Math.round(y) * BUST.width + Math.round(x)]).toBe(1);
  });

  it('place brows above eyes, eyes above lips, the nose between, and the forehead on top', () => {
    for (const [brow, eye] of [
      [LEFT_BROW, LEFT_EYE],
      [RIGHT_BROW, RIGHT_EYE],
    ] as const) {
      expect(middle(brow).y).toBeLessThan(middle(eye).y);
      expect(Math.abs(middle(brow).x - middle(eye).x)).toBeLessThan(6);
      expect(middle(eye).y).toBeLessThan(points[NOSE]!.y);
    }
    expect(points[NOSE]!.y).toBeLessThan(middle(LIPS).y);
    expect(Math.abs(middle(LIPS).x - points[NOSE]!.x)).toBeLessThan(5);
  });

  it('start a brow at its outer end', () => {
    for (const brow of [LEFT_BROW, RIGHT_BROW]) {
      const [outer, inner] = [points[brow[0]]!, points[brow[4]]!];
      expect(Math.abs(outer.x - points[NOSE]!.x)).toBeGreaterThan(Math.abs(inner.x - points[NOSE]!.x));
    }
  });
});

describe("a photo's only face", () => {
  const large = makeBust({
    size: { width: 300, height: 390 },
    face: { left: 105, top: 112, width: 90, height: 120 },
    hangs: 0.4,
  }).picture;
  const refusal = async (photo: Rgb) => {
    const outcome = await getOnlyFace(photo).catch((error: unknown) => error);
    return outcome instanceof Refusal ? outcome.message : undefined;
  };
  it('is returned if it is complete, upright and alone', async () => {
    expect(Math.abs((await getOnlyFace(large)).box.width - 90)).toBeLessThan(14);
  });

  const blur = async ({ data, width, height }: Rgb): Promise<Rgb> => {
    const blurred = sharp(data, { raw: { width, height, channels: 3 } }).blur(2.5);
    return { width, height, data: await blurred.raw().toBuffer() };
  };

  it('tolerates a smaller or blurred passer-by, but no second person', async () => {
    const pair = (share: number, top: number, beside = small(share)) =>
      paste({ width: 500, height: 390 }, [
        { picture: beside, left: 10, top },
        { picture: large, left: 200, top: 0 },
      ]);
    expect(await refusal(pair(1.1, 60))).toContain('Several faces');
    expect(await refusal(pair(0.5, 20))).toBeUndefined();
    const behind = pair(1.1, 60, await blur(small(1.1)));
    expect(await findFaces(behind)).toHaveLength(2);
    expect(await refusal(behind)).toBeUndefined();
  });

  it.each([
    ['nobody', drawRgb({ width: 90, height: 120 }, () => [130, 130, 130]), 'No face was found'],
    ['somebody far off', picture, 'too small'],
  ])('is refused: %s', async (_, photo, sentence) => {
    expect(await refusal(photo)).toContain(sentence);
  });
});

describe('a head', () => {
  const turnOver = ({ data, width, height }: Rgb): Rgb =>
    drawRgb({ width, height }, (x, y) => {
      const from = 3 * ((height - 1 - y) * width + width - 1 - x);
      return [data[from]!, data[from + 1]!, data[from + 2]!];
    });

  const tilted = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    const { x: mx, y: my } = middleOf(drawn.box);
    const points = drawn.points.map(({ x, y }) => ({
      x: mx + (x - mx) * Math.cos(angle) - (y - my) * Math.sin(angle),
      y: my + (x - mx) * Math.sin(angle) + (y - my) * Math.cos(angle),
    }));
    return { ...drawn, points };
  };

  it.each([66, 90, -100, 180])('counts as turned over if its landmarks are rotated by %i degrees', async (degrees) => {
    expect(await isTurnedOver(picture, tilted(degrees))).toBe(true);
  });

  it('is detected as upright or upside down even if its landmarks suggest upright', async () => {
    expect(await isTurnedOver(picture, drawn)).toBe(false);
    const below = makeFace({ ...drawn.box, top: BUST.height - drawn.box.top - drawn.box.height });
    expect(await isTurnedOver(turnOver(picture), below)).toBe(true);
  });
});

describe('a body', () => {
  it('has its left on our right, and joints inside the picture', async () => {
    const joints = await findJoints(makeBust().picture);
    const { leftShoulder, rightShoulder } = joints!;
    expect(leftShoulder!.x).toBeGreaterThan(rightShoulder!.x);
    for (const { x, y, score } of Object.values(joints!)) {
      expect(x >= 0 && y >= 0 && x < BUST.width && y < BUST.height).toBe(true);
      expect(score).toBeGreaterThan(0.19);
    }
  });

  it('does not depend on the previous picture', async () => {
    const body = makeBust().picture;
    const moved = paste(BUST, [{ picture: body, left: 1, top: 1 }]);
    const first = await findJoints(body);
    expect((await findJoints(moved))!.nose).not.toEqual(first!.nose);
    expect(await findJoints(body)).toEqual(first);
  });

  it('is absent without a person', async () => {
    expect(
      await findJoints(
        fillWith(
          picture,
          drawMask(BUST, () => true),
          [90, 90, 90],
        ),
      ),
    ).toBeUndefined();
  });
});
