import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import type { Plane } from '../pixels/plane.ts';
import { tipsOver } from './lying-flat.ts';

const SIDE = 200;
type Shape = (x: number, y: number) => boolean;

/** A shape around the centre, y downwards, turned clockwise. */
function draw(isInside: Shape, degrees = 0): Plane {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return drawPlane({ width: SIDE, height: SIDE }, (column, row) => {
    const [x, y] = [column + 0.5 - SIDE / 2, row + 0.5 - SIDE / 2];
    return Number(isInside(cos * x + sin * y, cos * y - sin * x));
  });
}

const bottle: Shape = (x, y) => Math.abs(x) < (y < -40 ? 8 : 22) && Math.abs(y) < 75;
const ball: Shape = (x, y) => Math.hypot(x, y) < 60;
/** Four legs of a seat, seen over a corner: the front leg ends lowest. */
const chair: Shape = (x, y) => {
  const isLeg = [-50, 0, 50].some((leg) => Math.abs(x - leg) < 5 && y > 0 && y < 75 - Math.abs(leg) * 0.45);
  return isLeg || (Math.abs(x) < 55 && y > -15 && y <= 0) || (Math.abs(x - 45) < 8 && y > -75 && y <= 0);
};
/** A cup whose handle is wider than itself. */
const cup: Shape = (x, y) => (x > -70 && x < 0 && Math.abs(y) < 50) || (x >= 0 && Math.abs(Math.hypot(x, y) - 38) < 5);

describe('a product', () => {
  it.each<[string, Shape, number]>([
    ['an upright bottle', bottle, 0],
    ['a bottle from a tilted camera', bottle, 6],
    ['a bottle on its side', bottle, 90],
    ['a ball', ball, 0],
    ['a chair over its corner', chair, 0],
    ['a cup with a wide handle', cup, 0],
  ])('stands: %s', (_, shape, degrees) => {
    expect(tipsOver(draw(shape, degrees))).toBe(false);
  });

  it.each([25, 45, 65, -35])('tips over: a bottle turned by %i degrees', (degrees) => {
    expect(tipsOver(draw(bottle, degrees))).toBe(true);
  });

  it('that shows nothing does not tip over', () => {
    expect(tipsOver(draw(() => false))).toBe(false);
  });
});
