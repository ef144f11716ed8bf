import { describe, expect, it } from 'vitest';
import { drawFace, makeFace, PLAIN_FACE } from '../../test/face.ts';
import type { Colour } from '../../test/draw.ts';
import type { Person } from './face-swap.ts';
import { LEFT_BROW, LIPS, NOSE } from './landmarks.ts';
import { pick } from './skin.ts';
import { tintSkin } from './tone.ts';

const SIZE = { width: 130, height: 170 };
const face = makeFace({ left: 35, top: 40, width: 60, height: 80 });
const makePerson = (skin: Colour): Person => ({ face, picture: drawFace(SIZE, face, { skin }) });

const portrait = makePerson(PLAIN_FACE.skin);
const middleOf = (landmarks: readonly number[]) => {
  const some = pick(face.points, landmarks);
  const sum = some.reduce((so, { x, y }) => ({ x: so.x + x, y: so.y + y }), { x: 0, y: 0 });
  return { x: sum.x / some.length, y: sum.y / some.length };
};
const readColour = ({ picture: { data, width } }: Person, { x, y }: { x: number; y: number }) => [
  ...data.subarray(3 * (Math.round(y) * width + Math.round(x)), 3 * (Math.round(y) * width + Math.round(x)) + 3),
];
const expectNear = (colour: number[], wanted: readonly number[], within: number) =>
  expect(Math.hypot(...colour.map((value, c) => value - wanted[c]!))).toBeLessThan(within);

describe('tinted skin', () => {
  it.each([
    ['darker', [120, 80, 60]],
    ['lighter', [230, 190, 170]],
    ['redder', [225, 130, 115]],
  ] as const)('has the colour of the user’s, a %s one', async (_, skin) => {
    const tinted = await tintSkin(portrait, makePerson(skin));
    expectNear(readColour(tinted!, { x: 65, y: 84 }), skin, 8);
    expectNear(readColour(tinted!, { x: 50, y: 95 }), skin, 8);
  });

  it('leaves lips, eyes and wall, and wipes the brows', async () => {
    const tinted = await tintSkin(portrait, makePerson([120, 80, 60]));
    expect(readColour(tinted!, { x: 4, y: 4 })).toEqual([...PLAIN_FACE.wall]);
    expectNear(readColour(tinted!, middleOf(LIPS)), PLAIN_FACE.lips, 12);
    expectNear(readColour(tinted!, middleOf(LEFT_BROW)), [120, 80, 60], 30);
    expect(tinted!.face).toBe(face);
  });

  it('of the same tone changes nothing but the brows', async () => {
    const tinted = await tintSkin(portrait, portrait);
    expectNear(readColour(tinted!, face.points[NOSE]!), PLAIN_FACE.skin, 2);
  });

  it('is none where the user’s is far brighter: edges would glare', async () => {
    expect(await tintSkin(makePerson([60, 40, 30]), makePerson([245, 215, 195]))).toBeUndefined();
    expect(await tintSkin(makePerson([245, 215, 195]), makePerson([60, 40, 30]))).toBeDefined();
  });

  it('leaves the portrait’s own picture as it was', async () => {
    const before = portrait.picture.data.slice();
    await tintSkin(portrait, makePerson([120, 80, 60]));
    expect(portrait.picture.data).toEqual(before);
  });
});
