import { describe, expect, it } from 'vitest';
import { BUST, CLOTHES, FACE, HAIR, makeBust } from '../../test/bust.ts';
import { drawMask, drawRgb, fillWith, type Colour } from '../../test/draw.ts';
import { PLAIN_FACE } from '../../test/face.ts';
import { pasteCrop } from './crops.ts';
import type { Person } from './face-swap.ts';
import { swapHead, type SwappedHead } from './user-hair.ts';

const BLOND: Colour = [200, 170, 90];
const portrait = makeBust();
const MIDDLE = FACE.left + FACE.width / 2;
const CHIN = FACE.top + FACE.height;

/** The portrait with the user's head on it. */
async function swap(user: Person, onto = portrait): Promise<{ picture: Person['picture']; swapped: SwappedHead }> {
  const swapped = await swapHead(onto, user);
  if (typeof swapped === 'string') throw new Error(swapped);
  return { picture: pasteCrop(onto.picture, swapped.crop, swapped.rgb), swapped };
}

const readColour = ({ data, width }: Person['picture'], x: number, y: number) => [
  ...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
];
const apart = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, c) => value - other[c]!));
/** Nearer to the first colour than to the second. */
const isRather = (colour: number[], one: Colour, other: Colour) => apart(colour, one) < apart(colour, other);

describe('a head of another user on a portrait', async () => {
  const user = makeBust({ hair: BLOND, colours: { wall: [20, 160, 60], skin: [150, 100, 80] } });
  const { picture, swapped } = await swap(user);

  it('has the user’s hair, in the portrait’s place', () => {
    for (const x of [MIDDLE - 20, MIDDLE, MIDDLE + 20]) {
      expect(isRather(readColour(picture, x, FACE.top - 8), BLOND, HAIR)).toBe(true);
    }
  });

  it('has the portrait’s skin tone, and nothing of the user’s wall', () => {
    expect(apart(readColour(picture, MIDDLE, FACE.top + 48), PLAIN_FACE.skin)).toBeLessThan(25);
    const isGreen = (_: number, i: number) => {
      const [red, green, blue] = picture.data.subarray(3 * i, 3 * i + 3);
      return green! - Math.max(red!, blue!) > 40;
    };
    expect(Array.from({ length: BUST.width * BUST.height }, () => 0).findIndex(isGreen)).toBe(-1);
  });

  it('stands on the portrait’s neck and shoulders, before its wall, to the byte', () => {
    for (const [x, y, colour] of [
      [MIDDLE, CHIN + 60, CLOTHES],
      [MIDDLE - 45, CHIN + 90, CLOTHES],
      [5, 5, PLAIN_FACE.wall],
      [MIDDLE - 60, FACE.top, PLAIN_FACE.wall],
      [190, 200, PLAIN_FACE.wall],
    ] as const) {
      expect([x, y, ...readColour(picture, x, y)]).toEqual([x, y, ...colour]);
    }
  });

  it('says which pixels are the user’s: the head, and nothing below the chin or on the wall', () => {
    const { cover, crop } = swapped;
    const { left, top } = crop.box;
    expect(cover.data.every((share) => share >= 0 && share <= 1)).toBe(true);
    const at = (x: number, y: number) => cover.data[Math.round(y - top) * cover.width + Math.round(x - left)];
    expect(at(MIDDLE, FACE.top + 40)).toBeGreaterThan(0.95);
    expect(at(MIDDLE, FACE.top - 10)).toBeGreaterThan(0.95);
    expect(at(MIDDLE, CHIN + 50)).toBeLessThan(0.05);
    expect(at(left + 6, FACE.top)).toBeLessThan(0.05);
  });
});

describe('long hair', () => {
  it('hangs behind the portrait’s jaw, neck and shoulders', async () => {
    const { picture } = await swap(makeBust({ hangs: 0.4 }), makeBust({ hair: undefined }));
    for (const side of [-1, 1]) {
      expect(isRather(readColour(picture, MIDDLE + side * 34, CHIN), HAIR, PLAIN_FACE.wall)).toBe(true);
    }
    expect(apart(readColour(picture, MIDDLE, CHIN + 10), PLAIN_FACE.skin)).toBeLessThan(20);
    expect(readColour(picture, MIDDLE + 38, CHIN + 60)).toEqual([...CLOTHES]);
  });
});

describe('the portrait’s own hair serves', () => {
  const high = makeBust({ face: { ...FACE, top: 50 } });
  const crest = drawMask(BUST, (x, y) => Math.abs(x - MIDDLE) < 26 && y < 50);
  const inCorner = (box: typeof FACE) => makeBust({ size: { width: 130, height: 220 }, face: box });

  it.each([
    ['the portrait has long hair', makeBust({ hangs: 0.4 }), portrait],
    ['the photo cuts the hair off', portrait, inCorner({ ...FACE, left: 35, top: 30 })],
    ['the photo cuts the hair off', portrait, inCorner({ ...FACE, left: 4, top: 75 })],
    ['the photo cuts the hair off', portrait, { ...high, picture: fillWith(high.picture, crest, HAIR) }],
  ] as const)('where %s', async (obstacle, onto, user) => {
    const swapped = await swapHead(onto, user);
    expect(typeof swapped === 'string' ? swapped : 'the head was exchanged').toBe(obstacle);
  });

  it('where the portrait has no plain background', async () => {
    const { picture, face } = portrait;
    const isWall = (i: number) => PLAIN_FACE.wall.every((value, c) => picture.data[3 * i + c] === value);
    const papered = drawRgb(BUST, (x, y) => {
      const i = y * BUST.width + x;
      if (isWall(i) && (x >> 3) % 2) return [220, 210, 60];
      return [picture.data[3 * i]!, picture.data[3 * i + 1]!, picture.data[3 * i + 2]!];
    });
    expect(await swapHead({ face, picture: papered }, portrait)).toMatch('no plain background');
  });
});
