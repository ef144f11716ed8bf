import { describe, expect, it } from 'vitest';
import { BUST, FACE, HAIR, makeBust } from '../../test/bust.ts';
import { findBust, readHead } from './head.ts';

const MIDDLE = FACE.left + FACE.width / 2;
const CHIN = FACE.top + FACE.height;

/** A plane of a smaller or the same size, read at a place of the picture. */
const read = ({ data, width, height }: { data: Float32Array; width: number; height: number }, x: number, y: number) =>
  data[Math.floor((y * height) / BUST.height) * width + Math.floor((x * width) / BUST.width)]!;

describe('a head with hair down to its shoulders', async () => {
  const { picture, face } = makeBust({ hangs: 0.3, showsNeck: true });
  const head = await readHead(picture, face.points);
  const places = {
    crown: [MIDDLE, FACE.top - 12],
    strand: [MIDDLE - 36, CHIN],
    cheek: [MIDDLE - 15, FACE.top + 52],
    neck: [MIDDLE, CHIN + 12],
    shoulder: [MIDDLE, CHIN + 70],
    wall: [12, 30],
  } as const;
  const list = (plane: Parameters<typeof read>[0]) =>
    Object.entries(places)
      .filter(([, [x, y]]) => read(plane, x, y) > 0.5)
      .map(([name]) => name);

  it('is told apart from what it stands on and what is behind it', () => {
    expect(list(head.figure)).toEqual(['crown', 'strand', 'cheek', 'neck', 'shoulder']);
    expect(list(head.head)).toEqual(['crown', 'strand', 'cheek']);
  });

  it('is hair and skin, each in its place', () => {
    expect(list(head.hair)).toEqual(['crown', 'strand']);
    expect(list(head.skin)).toEqual(['cheek', 'neck']);
  });

  it('has hair in its own colour that runs on behind the jaw, but not below the chin', () => {
    const jaw = [MIDDLE - 20, FACE.top + 62] as const;
    expect(read(head.hair, ...jaw)).toBeLessThan(0.1);
    expect(read(head.behind, ...jaw)).toBeGreaterThan(0.9);
    for (const [c, plane] of head.hairColours.entries()) {
      expect(Math.abs(read(plane, ...jaw) - HAIR[c]!)).toBeLessThan(12);
    }
    for (const [x, y] of [
      [MIDDLE - 14, CHIN + 5],
      [MIDDLE, CHIN + 30],
    ] as const) {
      expect(read(head.behind, x, y)).toBeLessThan(0.2);
    }
  });

  it('is a share of every pixel in all its parts', () => {
    for (const { data } of [head.figure, head.head, head.hair, head.behind, head.skin]) {
      expect(data.every((share) => share >= 0 && share <= 1.0001)).toBe(true);
    }
  });
});

it('has no hair where there is none', async () => {
  const { picture, face } = makeBust({ hair: undefined });
  const { hair, head } = await readHead(picture, face.points);
  expect(Math.max(...hair.data)).toBeLessThan(0.01);
  expect(read(head, MIDDLE, FACE.top + 40)).toBeGreaterThan(0.95);
});

it('has shoulders where the clothes are of another colour than the wall, as wide as they were drawn', async () => {
  const { picture, face } = makeBust();
  const bust = await findBust(picture, face.points);
  expect(bust).toMatchObject(BUST);
  const row = (y: number) => bust.data.subarray(y * BUST.width, (y + 1) * BUST.width).filter((share) => share > 0.5);
  const isCloth = (i: number) => picture.data[3 * i + 2] === 110 && picture.data[3 * i] === 40;
  for (const y of [CHIN + 40, CHIN + 70, CHIN + 95]) {
    const drawn = Array.from({ length: BUST.width }, (_, x) => isCloth(y * BUST.width + x)).filter(Boolean).length;
    expect(Math.abs(row(y).length - drawn)).toBeLessThan(5);
  }
  expect(row(20)).toHaveLength(0);
});
