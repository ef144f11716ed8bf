import { expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import { makeMatting } from '../../test/skill.ts';
import type { Marks } from '../cutout/marks.ts';
import { UnclearProduct } from '../cutout/matting.ts';
import { findBust, keepNear, measureDisagreement } from './bust.ts';

const SIZE = { width: 200, height: 300 };
const FACE = makeFace({ left: 70, top: 120, width: 60, height: 80 });

/** The boxes passed to the matting for a head whose hair starts at this share of the height. */
async function findBoxes(crown: number): Promise<NonNullable<Marks['box']>[]> {
  const receivedMarks: (Marks | undefined)[] = [];
  const matting = makeMatting((x, y) => y > crown && Math.abs(x - 0.5) < 0.25, receivedMarks);
  const grey = drawRgb(SIZE, () => [128, 128, 128]);
  await expect(findBust(grey, FACE, matting)).rejects.toThrow(UnclearProduct); // a grey sheet shows no person
  return receivedMarks.map((marks) => marks!.box!);
}

it("retries with a higher box only if hair ends at the first box's edge", async () => {
  const [box, ...more] = await findBoxes(0.3);
  expect(more).toEqual([]);
  const [first, second] = await findBoxes(0.05);
  expect(first).toEqual(box);
  expect(second![1]).toBeLessThan(first![1] - 0.1);
});

it('measures the share of the head away from the person, above the chin', () => {
  const person = drawPlane(SIZE, (x, y) => (x >= 60 && x < 140 && y >= 100 ? 1 : 0));
  const withPatch = (left: number, top: number) =>
    drawPlane(SIZE, (x, y) =>
      Math.max(person.data[y * SIZE.width + x]!, x >= left && x < left + 20 && y > top ? 1 : 0),
    );
  expect(measureDisagreement(person, person, FACE)).toBe(0);
  expect(measureDisagreement(withPatch(160, 150), person, FACE)).toBeCloseTo(980 / (8000 + 980), 3);
  expect(measureDisagreement(withPatch(130, 150), person, FACE)).toBeLessThan(0.03); // hair, with a lower alpha
  expect(measureDisagreement(withPatch(160, 200), person, FACE)).toBe(0);
});

it('removes faint remains of a wall beside the head, and keeps thin hair', () => {
  const faintAt = (x: number, y: number) => (y > 140 && y < 160 && x < 60 ? 0.3 : 0);
  const alpha = drawPlane(SIZE, (x, y) => (x >= 60 && x < 140 && y >= 100 ? 1 : faintAt(x, y)));
  const kept = keepNear(alpha, FACE).data;
  const at = (x: number) => kept[150 * SIZE.width + x];
  expect([at(100), at(58), at(50), at(10)]).toEqual([1, alpha.data[150 * SIZE.width + 58], 0, 0]);
});
