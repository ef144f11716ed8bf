import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeStage, STAGE, SUBJECT } from '../../test/stage.ts';
import {
  AT_REST,
  boxAt,
  findAim,
  findRoom,
  makeRowMap,
  mapBackdrop,
  mapProduct,
  measureParallax,
  pointAt,
  scalePose,
  type StagePose,
} from './pose.ts';
import type { Stage } from './stage.ts';

const stage = await makeStage();

const between = (min: number, max: number) => fc.double({ min: min, max: max, noNaN: true });
const length = between(-12, 12);

/** Any pose of a move on a frame of 96 pixels, and slightly beyond. */
const poses = fc.record({
  x: length,
  y: length,
  push: between(-0.15, 0.3),
  yaw: between(-0.5, 0.5),
});

/** The same stage with its product elsewhere. */
function moveProduct(left: number, top: number): Stage {
  const product = stage.product!;
  const box = { left, top, right: left + 24, bottom: top + 46 };
  return { ...stage, product: { ...product, box, base: box.bottom } };
}

describe('the rows of the product', () => {
  it.each([
    ['brightness', 1],
    ['colour, at half the size', 2],
  ])("show for %s exactly the product's pixels", (_, step) => {
    const map = makeRowMap(STAGE.height / step);
    const middle = (step - 1) / 2; // centre of the pixels that one sample represents
    fc.assert(
      fc.property(poses, fc.nat(STAGE.height / step - 1), fc.nat(STAGE.width / step - 1), (pose, row, column) => {
        mapProduct(stage, pose, map);
        const shown = { x: map.scale[row]! * column + map.offset[row]!, y: map.row[row]! };
        const x = step * shown.x + middle - stage.margin.x;
        const y = step * shown.y + middle - stage.margin.y;
        const at = pointAt(stage, pose, x, y);
        expect(at.x).toBeCloseTo(step * column + middle, 6);
        expect(at.y).toBeCloseTo(step * row + middle, 6);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the rows of the backdrop', () => {
  it('are monotonic for any camera pose', () => {
    const map = makeRowMap(STAGE.height);
    fc.assert(
      fc.property(poses, (pose) => {
        mapBackdrop(stage, pose, map);
        expect(map.row.every((row, n) => n === 0 || row >= map.row[n - 1]!)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('scale near rows more than far ones: a dolly, not a zoom', () => {
    const map = makeRowMap(STAGE.height);
    mapBackdrop(stage, { ...AT_REST, push: 0.2 }, map);
    const sizes = [4, BOX.bottom - 1, STAGE.height - 1].map((row) => 1 / map.scale[row]!);
    expect(sizes[0]).toBeGreaterThan(1);
    expect(sizes[0]).toBeLessThan(1.1);
    expect(sizes[2]).toBeGreaterThan(1.2);
    const foot = pointAt(stage, { ...AT_REST, push: 0.2 }, 0, BOX.bottom - 1);
    expect(1 / map.scale[Math.round(foot.y)]!).toBeCloseTo(1.2, 2);
  });

  it('use the same place for chroma and luma', () => {
    const [full, half] = [makeRowMap(STAGE.height), makeRowMap(STAGE.height / 2)];
    mapBackdrop(stage, { ...AT_REST, x: 4, push: 0.1, y: -3 }, full);
    mapBackdrop(stage, { ...AT_REST, x: 4, push: 0.1, y: -3 }, half);
    for (let row = 0; row < half.row.length; row += 1) {
      const own = (full.row[2 * row]! + full.row[2 * row + 1]!) / 2;
      expect(Math.abs(2 * half.row[row]! + 0.5 - own)).toBeLessThan(0.05);
    }
  });
});

describe('the aim of the camera', () => {
  it('is fixed while the camera approaches', () => {
    const aim = findAim(stage);
    expect(aim).toEqual({ x: (BOX.left + BOX.right) / 2, y: (BOX.top + BOX.bottom) / 2 });
    expect(pointAt(stage, { ...AT_REST, push: 0.3 }, aim.x, aim.y)).toEqual(aim);
  });
});

describe('the box of a pose', () => {
  it('contains every point of the product', () => {
    const share = between(0, 1);
    fc.assert(
      fc.property(poses, share, share, (pose, across, down) => {
        const { x, y } = pointAt(stage, pose, BOX.left + 24 * across, BOX.top + 46 * down);
        const box = boxAt(stage, pose)!;
        expect(x).toBeGreaterThanOrEqual(box.left - 1e-9);
        expect(x).toBeLessThanOrEqual(box.right + 1e-9);
        expect(y).toBeGreaterThanOrEqual(box.top - 1e-9);
        expect(y).toBeLessThanOrEqual(box.bottom + 1e-9);
      }),
      { numRuns: 60 },
    );
  });
});

describe('the room for a move', () => {
  const inside = (own: Stage, pose: StagePose) => findRoom(own, [pose]) === 1;

  it('is the largest share that keeps the product in the frame', () => {
    fc.assert(
      fc.property(fc.array(poses, { minLength: 1, maxLength: 3 }), (small) => {
        const some = small.map((pose) => scalePose(pose, 3));
        const room = findRoom(stage, some);
        expect(room).toBeGreaterThanOrEqual(0);
        expect(room).toBeLessThanOrEqual(1);
        expect(some.every((pose) => inside(stage, scalePose(pose, room)))).toBe(true);
        if (room < 1) expect(some.some((pose) => !inside(stage, scalePose(pose, room + 0.01)))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('exists for a product that touches the frame and moves no farther', () => {
    const own = moveProduct(0, 30);
    expect(findRoom(own, [{ ...AT_REST, x: 0.5 }])).toBe(1);
    expect(findRoom(own, [{ ...AT_REST, x: -3 }])).toBeLessThan(0.2);
  });

  it('has no lower limit if the photo cuts the product off', async () => {
    const sink = { ...AT_REST, y: 30 };
    expect(findRoom(stage, [sink])).toBeLessThan(0.7);
    expect(findRoom(await makeStage(STAGE, { ...SUBJECT, isCutBelow: true }), [sink])).toBe(1);
  });

  it('scales everything except rotation in place, linearly', () => {
    fc.assert(
      fc.property(poses, (pose) => {
        expect(scalePose(pose, 1)).toEqual(pose);
        const none = scalePose(pose, 0);
        for (const [name, value] of Object.entries(none))
          expect(Math.abs(value)).toBe(name === 'yaw' ? Math.abs(pose.yaw) : 0);
        const [twice, once] = [scalePose(scalePose(pose, 0.5), 0.5), scalePose(pose, 0.25)];
        for (const [name, value] of Object.entries(twice)) expect(value).toBeCloseTo(once[name as keyof StagePose], 12);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the parallax', () => {
  it.each([
    ['turns', { yaw: -0.1 }],
    ['is left behind', { push: -0.1 }],
  ])('of a product that %s is a share of its longer side', (_, change) => {
    expect(measureParallax(stage, { ...AT_REST, ...change })).toBeCloseTo(4.6, 9);
  });
});

describe('a pose', () => {
  const pose = { ...AT_REST, x: 7, y: -2, push: 0.1 };

  it('at rest changes no point or row', () => {
    expect(pointAt(stage, AT_REST, 40, 50)).toEqual({ x: 40, y: 50 });
    expect(boxAt(stage, AT_REST)).toEqual(BOX);
    const map = makeRowMap(STAGE.height);
    for (const fill of [mapBackdrop, mapProduct]) {
      fill(stage, AT_REST, map);
      for (const [row, value] of map.row.entries()) expect(value).toBeCloseTo(row + stage.margin.y, 6);
      for (const offset of map.offset) expect(offset).toBeCloseTo(stage.margin.x, 6);
      expect(map.scale.every((scale) => scale === 1)).toBe(true);
    }
  });

  it('moves the foot like the floor under it', () => {
    const [product, backdrop] = [makeRowMap(STAGE.height), makeRowMap(STAGE.height)];
    mapProduct(stage, pose, product);
    mapBackdrop(stage, pose, backdrop);
    const row = Math.round(pointAt(stage, pose, 48, BOX.bottom - 1).y);
    expect(Math.abs(product.row[row]! - backdrop.row[row]!)).toBeLessThan(0.2);
    expect(Math.abs(product.offset[row]! - backdrop.offset[row]!)).toBeLessThan(0.5);
  });

  it('moves far rows less than near ones', () => {
    const map = makeRowMap(STAGE.height);
    mapBackdrop(stage, { ...AT_REST, x: 10 }, map);
    const shifts = [5, BOX.bottom - 1, STAGE.height - 1].map((row) => stage.margin.x - map.offset[row]!);
    expect(shifts[0]).toBeCloseTo(3, 1);
    expect(shifts[1]).toBeCloseTo(10, 1);
    expect(shifts[2]).toBeGreaterThan(10);
  });

  it("measures the product's displacement against the backdrop, without camera rotation", () => {
    expect(measureParallax(stage, { ...AT_REST, x: 3, y: 4 })).toBe(5);
    expect(measureParallax(stage, { ...AT_REST, push: 0.1 })).toBeCloseTo(0.1 * 46, 5);
  });

  it('is scaled down to the available room', () => {
    const wide = { ...AT_REST, x: 60 };
    const room = findRoom(stage, [wide]);
    expect(room).toBeGreaterThan(0.4);
    expect(room).toBeLessThan(0.7);
    const box = boxAt(stage, scalePose(wide, room))!;
    expect(box.right).toBeLessThanOrEqual(STAGE.width);
    expect(box.right).toBeGreaterThan(STAGE.width - 4);
    expect(findRoom(stage, [AT_REST])).toBe(1);
  });

  it('of a picture without a product has unlimited room', async () => {
    const flat = await makeFlatStage();
    expect(findRoom(flat, [{ ...AT_REST, x: 500 }])).toBe(1);
    expect(boxAt(flat, pose)).toBeUndefined();
    expect(measureParallax(flat, pose)).toBe(0);
  });
});
