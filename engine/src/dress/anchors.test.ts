import { expect, it } from 'vitest';
import { makeWearer, readShirt } from '../../test/clothes.ts';
import { warpSleeve } from './anchors.ts';
import { planBody } from './plan.ts';
import { makeAxis, placeOnAxis, projectOnAxis } from './sleeve.ts';

it('lays a sleeve along a raised forearm without folding it', () => {
  const [wearer, garment] = [makeWearer(), readShirt({ isLong: true })];
  const body = planBody(wearer, garment)!;
  const [seam, elbow] = wearer.arms[0].points;
  const axis = makeAxis([seam!, elbow!, { x: elbow!.x + 12, y: seam!.y + 8 }]);
  const width = { from: new Float32Array(Math.ceil(axis.length)).fill(-9) };
  const arm = { axis, ...width, to: width.from.map((x) => -x) };
  const sleeve = garment.sleeves[0]!;
  const warp = warpSleeve(wearer, garment, body, { arm, sleeve, end: axis.length, isLonger: true }, 0);
  let last = 0;
  for (let along = 0.2 * axis.length; along < 0.95 * axis.length; along += 4) {
    const { x, y } = placeOnAxis(axis, along, 0);
    const flat = projectOnAxis(sleeve.axis, warp(x, y).x, warp(x, y).y);
    expect(flat.along).toBeGreaterThan(last);
    expect(Math.abs(flat.across)).toBeLessThan(6);
    last = flat.along;
  }
  expect(last).toBeGreaterThan(0.8 * sleeve.axis.length);
});
