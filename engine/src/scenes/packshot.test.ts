import { describe, expect, it } from 'vitest';
import { SHADOW_KINDS, shadeAlone, type ShadowKind } from './packshot.ts';

const SIDE = 240;
const FRAME = { width: SIDE, height: SIDE };
const EDGE = 5; // px: nearer pixels share JPEG blocks with the frame's border

type Shape = { name: string; wide: number; high: number; isRound?: boolean };

const SHAPES: Shape[] = [
  { name: 'flat and wide', wide: 1, high: 0.3 },
  { name: 'square', wide: 1, high: 1 },
  { name: 'tall', wide: 0.25, high: 1 },
  { name: 'round', wide: 1, high: 1, isRound: true },
];
const MARGINS = [0, 0.02, 0.05, 0.1];

/** A red object at the centre whose long side fills the frame except for the margins. */
function place({ wide, high, isRound = false }: Shape, margin: number) {
  const data = new Uint8Array(SIDE * SIDE * 3);
  const alpha = new Uint8Array(SIDE * SIDE);
  const [halfWide, halfHigh] = [wide, high].map((part) => (part * (1 - 2 * margin) * SIDE) / 2) as [number, number];
  for (let i = 0; i < alpha.length; i += 1) {
    const [x, y] = [(i % SIDE) + 0.5 - SIDE / 2, Math.floor(i / SIDE) + 0.5 - SIDE / 2];
    const isIn = isRound
      ? (x / halfWide) ** 2 + (y / halfHigh) ** 2 < 1
      : Math.abs(x) < halfWide && Math.abs(y) < halfHigh;
    if (!isIn) continue;
    data[i * 3] = 200;
    alpha[i] = 255;
  }
  const box = { left: SIDE / 2 - halfWide, right: SIDE / 2 + halfWide, foot: SIDE / 2 + halfHigh };
  return { shown: { ...FRAME, data }, alpha, box };
}

/** Renders a shape's shadow or reflection, with measurements outside the shape. */
function shade(shape: Shape, kind: ShadowKind, { margin = 0.25, azimuthDeg = 40, isFlat = false }) {
  const { shown, alpha, box } = place(shape, margin);
  const out = shadeAlone(shown, alpha, kind, azimuthDeg, isFlat);
  const at = (x: number, y: number) => out.subarray((y * SIDE + x) * 4, (y * SIDE + x) * 4 + 4);
  const darkest = (isCounted: (x: number, y: number) => boolean) => {
    let max = 0;
    for (let i = 0; i < alpha.length; i += 1) {
      const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
      if (alpha[i] === 0 && isCounted(x, y)) max = Math.max(max, out[i * 4 + 3]!);
    }
    return max;
  };
  const sum = (isCounted: (x: number, y: number) => boolean) => {
    let all = 0;
    for (let i = 0; i < alpha.length; i += 1)
      if (alpha[i] === 0 && isCounted(i % SIDE, Math.floor(i / SIDE))) all += out[i * 4 + 3]!;
    return all;
  };
  return { out, at, box, darkest, sum };
}

const distance = (x: number, y: number) => Math.min(x, y, SIDE - 1 - x, SIDE - 1 - y);
const MIDDLE = SIDE / 2;
const BOX: Shape = { name: 'box', wide: 0.6, high: 1 };

const WAYS = [
  { kind: 'contact', azimuthDeg: 0, isFlat: false },
  { kind: 'soft', azimuthDeg: 0, isFlat: false },
  { kind: 'soft', azimuthDeg: 90, isFlat: false },
  { kind: 'soft', azimuthDeg: 200, isFlat: false },
  { kind: 'reflection', azimuthDeg: 0, isFlat: false },
  { kind: 'soft', azimuthDeg: 40, isFlat: true },
] as const;

describe.each(SHAPES)('the shadow of a product that is $name', (shape) => {
  it.each(MARGINS)('fades within a margin of %d and has no edge of its own', (margin) => {
    const far = EDGE + (margin * SIDE - EDGE) / 3;
    for (const { kind, ...way } of WAYS) {
      const { darkest } = shade(shape, kind, { ...way, margin });
      expect(darkest((x, y) => distance(x, y) < EDGE)).toBe(0);
      expect(
        darkest((x, y) => distance(x, y) < far),
        `${kind} ${JSON.stringify(way)}`,
      ).toBeLessThan(12);
    }
  });
});

it.each(SHADOW_KINDS)('a %s lies at the foot, and is deterministic', (kind) => {
  const { out, at, box } = shade(BOX, kind, {});
  expect(at(MIDDLE, box.foot + 2)[3]).toBeGreaterThan(20);
  expect(shade(BOX, kind, {}).out).toEqual(out);
});

it('is visible within the usual margin of a packshot', () => {
  for (const shape of SHAPES)
    for (const isFlat of [false, true]) {
      const { at, box } = shade(shape, 'soft', { margin: 0.05, isFlat });
      expect(at(MIDDLE, Math.ceil(box.foot) + 1)[3]).toBeGreaterThan(15);
    }
});

it('fits into the room beside a product that fills its frame', () => {
  const { darkest, box } = shade(SHAPES[1]!, 'soft', { margin: 0.05, azimuthDeg: 40 });
  expect(darkest((x, y) => x < box.left && y < 0.8 * box.foot)).toBeLessThan(12);
});

it('a soft shadow falls away from its light, and a contact shadow has no direction', () => {
  const [fromRight, fromLeft] = [90, 270].map((azimuthDeg) => shade(BOX, 'soft', { azimuthDeg }));
  const { left, right } = fromRight!.box;
  expect(fromRight!.sum((x) => x < left)).toBeGreaterThan(2 * fromRight!.sum((x) => x > right));
  expect(fromLeft!.sum((x) => x > right)).toBeGreaterThan(2 * fromLeft!.sum((x) => x < left));
  const [one, other] = [90, 270].map((azimuthDeg) => shade(BOX, 'contact', { azimuthDeg }).out);
  expect(one).toEqual(other);
});

it('surrounds a product seen from above, and lies only at the foot of a standing one', () => {
  const above = (isFlat: boolean) => shade(BOX, 'soft', { azimuthDeg: 0, isFlat }).at(MIDDLE, SIDE / 4 - 2)[3]!;
  expect(above(true)).toBeGreaterThan(10);
  expect(above(false)).toBe(0);
});

it("a reflection has the product's colours and fades with depth", () => {
  const { at, box } = shade(BOX, 'reflection', {});
  const [near, far] = [at(MIDDLE, box.foot + 14), at(MIDDLE, box.foot + 34)];
  expect(near[0]! - near[1]!).toBeGreaterThan(10);
  expect(near[3]).toBeGreaterThan(far[3]!);
});

it('throws for an empty frame', () => {
  const { shown, alpha } = place(BOX, 0.25);
  expect(() => shadeAlone(shown, alpha.fill(0), 'soft', 0, false)).toThrow('nothing stands');
});
