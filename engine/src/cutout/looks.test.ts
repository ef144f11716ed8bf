import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import type { Plane } from '../pixels/plane.ts';
import type { Card } from './card.ts';
import { weighLooks } from './looks.ts';
import { drawMarks, readMarks } from './marks.ts';

const SIDE = 64;
const SIZE = { width: SIDE, height: SIDE };
const card: Card = {
  file: '',
  sha256: '',
  bytes: 0,
  looks: [],
  measuredAt: SIDE,
  softness: { above: 0.1, below: 0.9, erosion: 5, shareOf: 0.1 },
  pick: { constant: 0, weights: { agreement: 1, softness: -1 } },
  score: { constant: 1, weights: { 'least agreement': -1, 'softness of the chosen look': 1 } },
  refuseAbove: 0.5,
};
const disc = (x: number, radius = 20, cover = 1): Plane =>
  drawPlane(SIZE, (px, py) => (Math.hypot(px - x, py - 32) < radius ? cover : 0));

describe('looks that are compared', () => {
  it('agree where they show the same: no doubt is left', () => {
    const opinion = weighLooks(card, [disc(32), disc(32), disc(32)]);
    expect(opinion).toMatchObject({ leastAgreement: 1, softness: 0, score: 0 });
  });

  it('are picked by how well they agree with the others, and doubted by how ill the worst does', () => {
    const odd = disc(50);
    const opinion = weighLooks(card, [odd, disc(32), disc(32)]);
    expect(opinion.alpha.data).toEqual(disc(32).data);
    expect(opinion.leastAgreement).toBeLessThan(0.6);
    expect(opinion.score).toBeGreaterThan(0.4);
  });

  it('are doubted where they are soft far and wide, not along an edge', () => {
    const faint = disc(32, 20, 0.5);
    expect(weighLooks(card, [faint, faint]).softness).toBeGreaterThan(0.5);
    const edge = drawPlane(SIZE, (x, y) => Math.min(1, Math.max(0, (22 - Math.hypot(x - 32, y - 32)) / 4)));
    expect(weighLooks(card, [edge, edge]).softness).toBeLessThan(0.02);
  });

  it('of nothing at all agree, and are as doubtful as can be', () => {
    const nothing = drawPlane(SIZE, () => 0);
    expect(weighLooks(card, [nothing, nothing])).toMatchObject({ leastAgreement: 1, softness: 1 });
  });

  it('may have different sizes, and the picked one keeps its own', () => {
    const small = drawPlane({ width: 32, height: 32 }, (x, y) => (Math.hypot(x - 16, y - 16) < 10 ? 1 : 0));
    expect(weighLooks(card, [small, small]).alpha).toMatchObject({ width: 32, height: 32 });
  });
});

describe('marks', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });

  it('drawn for the network are 0 and 1, the box where it is', () => {
    fc.assert(
      fc.property(share, share, share, share, (a, b, c, d) => {
        const box = [Math.min(a, b), Math.min(c, d), Math.max(a, b), Math.max(c, d)];
        const marks = readMarks({ box });
        expect(marks !== undefined).toBe(box[0]! < box[2]! && box[1]! < box[3]!);
        if (!marks) return;
        const planes = drawMarks(marks, { width: 300, height: 200 }, { width: 32, height: 32 });
        expect(planes).toHaveLength(3 * 32 * 32);
        expect(planes.every((value) => value === 0 || value === 1)).toBe(true);
        expect(planes.subarray(32 * 32)).not.toContain(1);
      }),
    );
  });

  it.each([
    [undefined],
    [{}],
    [{ box: [0, 0, 1] }],
    [{ box: [0.5, 0, 0.5, 1] }],
    [{ box: [-0.1, 0, 1, 1] }],
    [{ keep: [] }],
    [{ keep: [[0.5, 0.5, 0]] }],
    [{ drop: [[0.5, 1.5, 0.1]] }],
    [{ keep: Array.from({ length: 2001 }, () => [0.5, 0.5, 0.1]) }],
    [{ box: [0, 0, 1, 1], more: true }],
    ['box'],
  ])('that cannot be understood are none: %j', (marks) => {
    expect(readMarks(marks)).toBeUndefined();
  });
});
