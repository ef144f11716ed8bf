import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb, type Colour } from '../../test/draw.ts';
import { askNearby, dropHairs } from './nearby.ts';

const SIZE = { width: 120, height: 100 };
const LEATHER: Colour = [170, 90, 50];
const CARPET: Colour = [150, 140, 125];
const DOT: Colour = [50, 40, 30];
const EDGE = 60;
/** Leather above, below it a carpet with a dark dot at every fourth pixel. */
const isDot = (x: number, y: number) => y >= EDGE && x % 4 === 0;
const onCarpet = drawRgb(SIZE, (x, y) => (y < EDGE ? LEATHER : isDot(x, y) ? DOT : CARPET));
/** What a network says that leaves five pixels open on both sides of the edge. */
const said = drawPlane(SIZE, (_, y) => Math.min(1, Math.max(0, 0.5 + (EDGE - 0.5 - y) / 10)));
const at = (x: number, y: number) => y * SIZE.width + x;

describe('colours nearby', () => {
  const { alpha, evidence } = askNearby(onCarpet, { alpha: said, grain: 2 });

  it('know the dots of a carpet again, close to the product too', () => {
    expect(evidence[at(60, EDGE + 1)]).toBeLessThan(-1);
    expect(alpha.data[at(60, EDGE + 1)]).toBeLessThan(said.data[at(60, EDGE + 1)]! - 0.1);
  });

  it('know the product again', () => {
    expect(evidence[at(61, EDGE - 2)]).toBeGreaterThan(1);
    expect(alpha.data[at(61, EDGE - 2)]).toBeGreaterThan(said.data[at(61, EDGE - 2)]! + 0.1);
  });

  it('tell nothing of a colour that neither has', () => {
    const picture = { ...onCarpet, data: onCarpet.data.slice() };
    picture.data.set([20, 200, 30], 3 * at(61, EDGE + 1));
    const asked = askNearby(picture, { alpha: said, grain: 2 });
    expect(asked.evidence[at(61, EDGE + 1)]).toBe(0);
    expect(asked.alpha.data[at(61, EDGE + 1)]).toBeCloseTo(said.data[at(61, EDGE + 1)]!, 5);
  });

  it('tell nothing where both sides look alike', () => {
    const grey = drawRgb(SIZE, () => [120, 120, 120]);
    const asked = askNearby(grey, { alpha: said, grain: 2 });
    expect(asked.evidence.every((value) => value === 0)).toBe(true);
  });

  it.each([
    ['nothing is product', drawPlane(SIZE, () => 0)],
    ['all is product', drawPlane(SIZE, () => 1)],
  ])('change nothing where %s', (_, sure) => {
    expect(askNearby(onCarpet, { alpha: sure, grain: 2 }).alpha.data).toEqual(sure.data);
  });
});

describe('hairs', () => {
  const hairy = drawPlane(SIZE, (x, y) => (y < EDGE || (x === 60 && y < EDGE + 8) ? 1 : 0));
  const tip = at(60, EDGE + 6);
  const half = drawPlane(SIZE, () => 0.5);

  it('go where they have the colours of the background', () => {
    const evidence = new Float32Array(hairy.data.length).fill(-1.5);
    const data = dropHairs(hairy, half, evidence).data;
    expect(data[tip]).toBeLessThan(0.01);
    expect(data[at(60, EDGE - 4)]).toBe(1);
  });

  it.each([
    ["have the product's colours", half, 1.5],
    ['were never asked about', half, 0],
    ['are seen by the network', drawPlane(SIZE, () => 1), -1.5],
  ])('stay where they %s', (_, seen, evidence) => {
    const data = dropHairs(hairy, seen, new Float32Array(hairy.data.length).fill(evidence)).data;
    expect(data[tip]).toBeGreaterThan(0.98);
  });
});
