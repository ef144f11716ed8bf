import { expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import { makeMatting } from '../../test/skill.ts';
import type { Marks } from '../cutout/marks.ts';
import { UnclearProduct } from '../cutout/matting.ts';
import { findBust, measureDisagreement } from './bust.ts';

const SIZE = { width: 200, height: 300 };
const FACE = makeFace({ left: 70, top: 120, width: 60, height: 80 });

/** The boxes that the matting is asked with for a head whose hair begins at so much of the height. */
async function findBoxes(crown: number): Promise<NonNullable<Marks['box']>[]> {
  const receivedMarks: (Marks | undefined)[] = [];
  const matting = makeMatting((x, y) => y > crown && Math.abs(x - 0.5) < 0.25, receivedMarks);
  const grey = drawRgb(SIZE, () => [128, 128, 128]);
  await expect(findBust(grey, FACE, matting)).rejects.toThrow(UnclearProduct); // nobody is seen in a grey sheet
  return receivedMarks.map((marks) => marks!.box!);
}

it('looks again with a higher box only where hair ends at the edge of the first one', async () => {
  const [box, ...more] = await findBoxes(0.3);
  expect(more).toEqual([]);
  const [first, second] = await findBoxes(0.05);
  expect(first).toEqual(box);
  expect(second![1]).toBeLessThan(first![1] - 0.1);
});

it('doubts a head by the share of it that is away from the person, above the chin', () => {
  const person = drawPlane(SIZE, (x, y) => (x >= 60 && x < 140 && y >= 100 ? 1 : 0));
  const withPatch = (left: number, top: number) =>
    drawPlane(SIZE, (x, y) =>
      Math.max(person.data[y * SIZE.width + x]!, x >= left && x < left + 20 && y > top ? 1 : 0),
    );
  expect(measureDisagreement(person, person, FACE)).toBe(0);
  expect(measureDisagreement(withPatch(160, 150), person, FACE)).toBeCloseTo(980 / (8000 + 980), 3);
  expect(measureDisagreement(withPatch(130, 150), person, FACE)).toBeLessThan(0.03); // hair, which is seen less well
  expect(measureDisagreement(withPatch(160, 200), person, FACE)).toBe(0);
});
