import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFace } from '../../test/face.ts';
import type { Point } from '../pixels/plane.ts';
import { readPoint } from '../pixels/sample.ts';
import { alignFaces, applySimilarity, fitSimilarity, type Similarity } from './align.ts';
import { boxAround } from './faces.ts';
import { CHIN, LEFT_EYE, NOSE, OVAL, RIGHT_EYE } from './landmarks.ts';

const similarity = fc.record({
  a: fc.double({ min: 0.2, max: 3, noNaN: true }),
  b: fc.double({ min: -2, max: 2, noNaN: true }),
  dx: fc.double({ min: -500, max: 500, noNaN: true }),
  dy: fc.double({ min: -500, max: 500, noNaN: true }),
});
const coordinate = fc.integer({ min: -300, max: 300 });
const points = fc.uniqueArray(fc.record({ x: coordinate, y: coordinate }), {
  minLength: 2,
  maxLength: 12,
  selector: ({ x, y }) => `${x} ${y}`,
});

describe('a similarity', () => {
  it('is found again from the points that it has moved', () => {
    fc.assert(
      fc.property(points, similarity, (from, move) => {
        const found = fitSimilarity(
          from,
          from.map((point) => applySimilarity(move, point)),
        );
        for (const key of ['a', 'b', 'dx', 'dy'] as const) expect(found[key]).toBeCloseTo(move[key], 5);
      }),
    );
  });

  it('is the nearest there is, where no similarity fits: a push of any number makes it no better', () => {
    const from = [0, 1, 2, 3].map((n) => ({ x: 10 * n, y: n * n }));
    const to = from.map(({ x, y }) => ({ x: 2 * x + y, y: x - y }));
    const found = fitSimilarity(from, to);
    const measure = (move: Similarity) =>
      from.reduce((sum, point, n) => {
        const place = applySimilarity(move, point);
        return sum + (place.x - to[n]!.x) ** 2 + (place.y - to[n]!.y) ** 2;
      }, 0);
    for (const key of ['a', 'b', 'dx', 'dy'] as const) {
      for (const push of [-0.01, 0.01]) {
        expect(measure({ ...found, [key]: found[key] + push })).toBeGreaterThan(measure(found));
      }
    }
  });
});

const CROP = { width: 160, height: 200 };
const portrait = makeFace({ left: 50, top: 60, width: 60, height: 80 });

/** Where the crop's place of a landmark leads in the user's picture. */
function follow(user: readonly Point[], landmarks: readonly number[], depths = portrait.depths): Point[] {
  const map = alignFaces(portrait.points, depths, user, CROP);
  return landmarks.map((landmark) => {
    const { x, y } = portrait.points[landmark]!;
    return { x: readPoint({ ...CROP, data: map.x }, x, y), y: readPoint({ ...CROP, data: map.y }, x, y) };
  });
}

const worst = (places: Point[], wanted: Point[]) =>
  Math.max(...places.map(({ x, y }, n) => Math.hypot(x - wanted[n]!.x, y - wanted[n]!.y)));

describe('aligned faces', () => {
  const turned: Similarity = { a: 1.4, b: 0.3, dx: 30, dy: -12 };

  it('of one shape differ by turn, size and place alone, in every corner of the crop', () => {
    const user = portrait.points.map((point) => applySimilarity(turned, point));
    const map = alignFaces(portrait.points, portrait.depths, user, CROP);
    for (const [x, y] of [
      [0, 0],
      [159, 0],
      [80, 100],
      [0, 199],
      [159, 199],
    ] as const) {
      const place = applySimilarity(turned, { x, y });
      expect(map.x[y * CROP.width + x]).toBeCloseTo(place.x, 1);
      expect(map.y[y * CROP.width + x]).toBeCloseTo(place.y, 1);
    }
  });

  it('meet along their outline, so that another jaw meets the neck', () => {
    const box = boxAround(portrait.points);
    const middle = box.left + box.width / 2;
    // a narrower jaw, the eyes where they were
    const user = portrait.points.map(({ x, y }) => ({ x: y > 110 ? middle + 0.85 * (x - middle) : x, y }));
    const jaw = OVAL.filter((landmark) => portrait.points[landmark]!.y > 115);
    const before = worst(
      jaw.map((landmark) => portrait.points[landmark]!),
      jaw.map((landmark) => user[landmark]!),
    );
    const after = worst(
      follow(user, jaw),
      jaw.map((landmark) => user[landmark]!),
    );
    expect(after).toBeLessThan(0.6 * before);
  });

  it('keep the most of the user’s own shape inside: a lower nose stays low', () => {
    const user = portrait.points.map((point, n) => (n === NOSE ? { x: point.x, y: point.y + 8 } : point));
    const [nose] = follow(user, [NOSE]);
    // led back by 8 pixels it would be drawn at the portrait's place
    expect(Math.abs(nose!.y - portrait.points[NOSE]!.y)).toBeLessThan(2);
  });

  it('undo what another turn of the head explains', () => {
    const user = portrait.points.map(({ x, y }, n) => ({ x: x + 0.4 * portrait.depths[n]!, y }));
    const middle = [...LEFT_EYE, ...RIGHT_EYE, CHIN];
    const seen = follow(user, middle);
    const flat = follow(
      user,
      middle,
      portrait.depths.map(() => 0),
    );
    const wanted = middle.map((landmark) => user[landmark]!);
    expect(worst(seen, wanted)).toBeLessThan(worst(flat, wanted));
  });

  it('need no landmark inside the crop', () => {
    const far = portrait.points.map(({ x, y }) => ({ x: x + 1000, y: y + 1000 }));
    const map = alignFaces(far, portrait.depths, far, CROP);
    expect([...map.x, ...map.y].every(Number.isFinite)).toBe(true);
  });

  it('lead every pixel to itself, when both are one', () => {
    const map = alignFaces(portrait.points, portrait.depths, portrait.points, CROP);
    for (let i = 0; i < map.x.length; i += 7) {
      expect(Math.abs(map.x[i]! - (i % CROP.width))).toBeLessThan(0.01);
      expect(Math.abs(map.y[i]! - Math.floor(i / CROP.width))).toBeLessThan(0.01);
    }
  });

  it('lead as far aside as the user’s picture is moved', () => {
    const wide = portrait.points.map(({ x, y }) => ({ x: 80 + 1.2 * (x - 80), y }));
    const moved = wide.map(({ x, y }) => ({ x: x + 31, y: y - 17 }));
    const [own, other] = [wide, moved].map((user) => alignFaces(portrait.points, portrait.depths, user, CROP));
    for (let i = 0; i < own!.x.length; i += 11) {
      expect(Math.abs(other!.x[i]! - own!.x[i]! - 31)).toBeLessThan(0.01);
      expect(Math.abs(other!.y[i]! - own!.y[i]! + 17)).toBeLessThan(0.01);
    }
  });

  it('never fold: neighbours on the face stay in their order', () => {
    const user = portrait.points.map(({ x, y }, n) => ({ x: x + 2 * Math.sin(n), y: y + 2 * Math.cos(3 * n) }));
    const map = alignFaces(portrait.points, portrait.depths, user, CROP);
    for (let y = 62; y < 138; y += 3) {
      for (let x = 52; x < 108; x += 1) {
        const i = y * CROP.width + x;
        expect(map.x[i + 1]!).toBeGreaterThan(map.x[i]!);
        expect(map.y[i + CROP.width]!).toBeGreaterThan(map.y[i]!);
      }
    }
  });
});

describe('a similarity of a few points', () => {
  it('is exact for two of them', () => {
    const [one, other] = [
      [
        { x: 3, y: 4 },
        { x: 9, y: 1 },
      ],
      [
        { x: -2, y: 7 },
        { x: 5, y: 5 },
      ],
    ] as const;
    const move = fitSimilarity(one, other);
    for (const [n, point] of one.entries()) {
      expect(applySimilarity(move, point).x).toBeCloseTo(other[n]!.x, 9);
      expect(applySimilarity(move, point).y).toBeCloseTo(other[n]!.y, 9);
    }
  });

  it('does not depend on their order', () => {
    const from = [0, 1, 2, 3, 4].map((n) => ({ x: 7 * n, y: n * n }));
    const to = from.map(({ x, y }) => ({ x: y - x, y: x + 0.3 * y }));
    const [own, turned] = [fitSimilarity(from, to), fitSimilarity(from.toReversed(), to.toReversed())];
    for (const key of ['a', 'b', 'dx', 'dy'] as const) expect(turned[key]).toBeCloseTo(own[key], 9);
  });
});
