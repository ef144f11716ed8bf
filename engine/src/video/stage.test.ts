import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb } from '../../test/draw.ts';
import { BOX, makeFlatStage, makeStage, momentAt, paintFrame, PHOTO, STAGE, SUBJECT } from '../../test/stage.ts';
import { UnclearProduct, type Matting } from '../cutout/matting.ts';
import type { Plane, Rgb } from '../pixels/plane.ts';
import { makeRandom } from '../pixels/random.ts';
import { placePicture } from './placement.ts';
import { buildStage, type Stage } from './stage.ts';
import { findSubject, type Subject } from './subject.ts';
import { toYuv } from './yuv.ts';

const stage = await makeStage();

/** A canvas plane's value at a point of the frame. */
function at({ margin }: Stage, { data, width }: Plane, x: number, y: number): number {
  return data[(y + margin.y) * width + x + margin.x]!;
}

const total = ({ data }: Plane) => data.reduce((sum, value) => sum + value, 0);

describe('a canvas', () => {
  it.each([
    ['a square', { width: 96, height: 96 }],
    ['a wide frame', { width: 160, height: 90 }],
    ['a tall frame', { width: 54, height: 96 }],
  ])('for %s extends a tenth beyond it on every side, and every plane fits', async (_, frame) => {
    const { margin, backdrop, depths, product } = await makeStage(frame);
    expect(margin.x / frame.width).toBeGreaterThanOrEqual(0.1);
    expect(margin.x / frame.width).toBeLessThan(0.14);
    expect([margin.x % 2, margin.y % 2]).toEqual([0, 0]);
    const [width, height] = [frame.width + 2 * margin.x, frame.height + 2 * margin.y];
    expect(depths).toHaveLength(height);
    for (const { y, u, v } of [backdrop, product!.colours, product!.alpha]) {
      for (const half of [u, v]) expect(half).toMatchObject({ width: width / 2, height: height / 2 });
      expect(y).toMatchObject({ width, height });
      const [all, quarter] = [width * height, (width * height) / 4];
      expect([y, u, v].map(({ data }) => data.length)).toEqual([all, quarter, quarter]);
      expect([...y.data, ...u.data, ...v.data].every((value) => value >= -1 && value <= 256)).toBe(true);
    }
  });

  it('without a product is the photo alone, at one depth', async () => {
    const flat = await makeFlatStage();
    expect(flat.product).toBeUndefined();
    expect(new Set(flat.depths)).toEqual(new Set([0.6]));
    const y = toYuv(PHOTO.data, 96, 96).y.data;
    for (const [px, py] of [
      [0, 0],
      [50, 50],
      [95, 95],
    ] as const) {
      expect(at(flat, flat.backdrop.y, px, py)).toBe(y[py * 96 + px]);
    }
  });
});

describe('a product on its stage', () => {
  it('keeps its position and size', () => {
    const { box, base, alpha: alpha } = stage.product!;
    expect(box).toEqual(BOX);
    expect(Math.abs(base - BOX.bottom)).toBeLessThan(1);
    expect(total(alpha.y)).toBeCloseTo(24 * 46, 3);
  });

  it('is enlarged with its photo', async () => {
    const large = await buildStage(PHOTO, SUBJECT, { width: 192, height: 192, left: -40, top: -60 }, STAGE);
    const { box, base, alpha: alpha } = large.product!;
    expect(box).toEqual({ left: 32, right: 80, top: 0, bottom: 92 });
    expect(Math.abs(base - 92)).toBeLessThan(2);
    expect(total(alpha.y) / (4 * 24 * 46)).toBeCloseTo(1, 1);
  });

  it('stands on its foot, not on a lower strap', async () => {
    const isStrap = (x: number, y: number) => x >= 38 && x < 40 && y >= BOX.bottom && y < 88;
    const alpha = drawPlane(STAGE, (x, y) => (isStrap(x, y) ? 1 : SUBJECT.alpha.data[y * 96 + x]!));
    const { base } = (await makeStage(STAGE, { ...SUBJECT, alpha, box: { ...BOX, bottom: 88 } })).product!;
    expect(Math.abs(base - BOX.bottom)).toBeLessThan(2);
  });

  it('is not duplicated beside the photo where that is extended', async () => {
    const isAtEdge = (x: number, y: number) => x >= 86 && x < 94 && y >= 30 && y < 60;
    const alpha = drawPlane(STAGE, (x, y) => (isAtEdge(x, y) ? 1 : 0));
    const own = await buildStage(
      PHOTO,
      {
        alpha,
        colours: PHOTO.data,
        box: { left: 86, right: 94, top: 30, bottom: 60 },
        canMove: true,
        isCutBelow: false,
      },
      { ...STAGE, left: 0, top: 0 },
      STAGE,
    );
    expect(total(own.product!.alpha.y)).toBe(8 * 30);
  });

  it('continues below if the photo cuts it off, and only there', async () => {
    const isCut = (x: number, y: number) => x >= 36 && x < 60 && y >= 40;
    const cut: Subject = {
      alpha: drawPlane(STAGE, (x, y) => (isCut(x, y) ? 1 : 0)),
      colours: PHOTO.data,
      box: { left: 36, right: 60, top: 40, bottom: 96 },
      canMove: true,
      isCutBelow: true,
    };
    const own = await buildStage(PHOTO, cut, { ...STAGE, left: 0, top: 0 }, STAGE);
    const alpha = own.product!.alpha.y;
    expect([at(own, alpha, 48, 95), at(own, alpha, 48, 100), at(own, alpha, 30, 100)]).toEqual([1, 1, 0]);
    expect(at(own, alpha, 48, 39)).toBe(0);
  });

  it('has no colour where it is transparent', () => {
    const { colours, alpha: alpha } = stage.product!;
    for (const name of ['y', 'u', 'v'] as const) {
      const by = alpha[name].data;
      expect(colours[name].data.every((value, i) => by[i] !== 0 || Math.abs(value) < 1e-3)).toBe(true);
    }
  });

  it('with a soft edge equals the photo at rest', async () => {
    const alpha = drawPlane(STAGE, (x, y) => Math.min(1, Math.max(0, 1.8 - Math.hypot((x - 48) / 12, (y - 53) / 22))));
    const soft = drawRgb(STAGE, (x, y) => {
      const opacity = alpha.data[y * 96 + x]!;
      const lay = (own: number, wall: number) => Math.round(opacity * own + (1 - opacity) * wall);
      return [lay(150, 220), lay(60, 215), lay(40, 210 - y)];
    });
    const colours = drawRgb(STAGE, () => [150, 60, 40]).data;
    const box = { left: 33, right: 64, top: 25, bottom: 82 };
    const own = await buildStage(soft, { ...SUBJECT, alpha, colours, box }, { ...STAGE, left: 0, top: 0 }, STAGE);
    const frame = paintFrame(own, momentAt(0));
    const y = toYuv(soft.data, 96, 96).y.data;
    let worst = 0;
    for (const [i, value] of frame.y.entries()) worst = Math.max(worst, Math.abs(value - y[i]!));
    expect(worst).toBeLessThan(3);
  });

  it("replaces the backdrop's rim only next to itself and within the photo", async () => {
    const { product, backdrop, margin } = await makeStage({ width: 160, height: 90 });
    const { left, right, top, bottom } = product!.box;
    const near = 8;
    const [luma, u, v] = product!.rings;
    expect([luma!.plane, u!.plane, v!.plane]).toEqual(['y', 'u', 'v']);
    expect(luma!.at.length).toBeGreaterThan(50);
    for (const i of luma!.at) {
      const [x, y] = [(i % backdrop.y.width) - margin.x, Math.floor(i / backdrop.y.width) - margin.y];
      expect(x > left - near && x < right + near && y > top - near && y < bottom + near).toBe(true);
      expect(product!.alpha.y.data[i]).toBeLessThan(0.98);
    }
  });
});

describe('a textured background', () => {
  const random = makeRandom(5);
  const side = 240;
  const isProduct = (x: number, y: number) => Math.abs(x - 120) < 40 && Math.abs(y - 120) < 70;
  const carpet = drawRgb({ width: side, height: side }, (x, y) => {
    const light = isProduct(x, y) ? 30 : 120 + 80 * random();
    return [light, light, light];
  });
  const alpha = drawPlane(carpet, (x, y) => Number(isProduct(x, y)));
  const box = { left: 81, right: 160, top: 51, bottom: 190 };
  const subject: Subject = { alpha, colours: carpet.data, box, canMove: true, isCutBelow: false };
  /** Standard deviation of the backdrop's luma in an area of the frame. */
  const roughness = (filmed: Stage, left: number, top: number, width: number, height: number) => {
    const values = Array.from({ length: width * height }, (_, n) =>
      at(filmed, filmed.backdrop.y, left + (n % width), top + Math.floor(n / width)),
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  };

  it('continues behind the product, where moves reveal it', async () => {
    const filmed = await buildStage(carpet, subject, { width: side, height: side, left: 0, top: 0 }, carpet);
    const around = roughness(filmed, 20, 60, 40, 120);
    expect(roughness(filmed, 82, 60, 8, 120)).toBeGreaterThan(0.7 * around);
  });

  it('fades into the blur beside the photo from inside it, but not over the product', async () => {
    const frame = { width: 2 * side, height: side };
    const filmed = await buildStage(carpet, subject, { width: side, height: side, left: 120, top: 0 }, frame);
    const around = roughness(filmed, 160, 60, 30, 120);
    for (const edge of [120, 120 + side - 4]) expect(roughness(filmed, edge, 60, 4, 120)).toBeLessThan(0.5 * around);
    const strip = { width: side, height: 20, left: 0, top: 100 };
    const panorama = await buildStage(carpet, undefined, strip, { width: side, height: side });
    expect(roughness(panorama, 60, 106, 120, 8), 'its middle stays sharp').toBeGreaterThan(5);
    const close = { ...subject, box: { ...box, left: 8 } };
    const tight = await buildStage(carpet, close, { width: side, height: side, left: 120, top: 0 }, frame);
    expect(roughness(tight, 120, 60, 4, 120)).toBeGreaterThan(0.9 * around);
  });
});

describe('any picture', () => {
  const speck = (width: number, height: number): Subject => ({
    alpha: drawPlane({ width, height }, (x, y) => (x > 2 && x < width - 3 && y > 2 && y < height - 3 ? 1 : 0)),
    colours: new Uint8Array(width * height * 3),
    box: { left: 3, right: width - 3, top: 3, bottom: height - 3 },
    canMove: true,
    isCutBelow: false,
  });

  it.each([
    ['a panorama', 128, 16],
    ['a column', 16, 128],
    ['of odd sides', 65, 97],
    ['of a few pixels', 8, 8],
  ])('%s has a stage of numbers', async (_, width, height) => {
    const picture = drawRgb({ width, height }, (x, y) => [x * 2, y * 2, 90]);
    for (const subject of [speck(width, height), undefined]) {
      const own = await buildStage(picture, subject, placePicture(picture, subject, STAGE), STAGE);
      const frame = paintFrame(own, momentAt(1, { x: 3, push: 0.1, yaw: 0.2 }));
      expect(frame.y.some((value) => value > 16)).toBe(true);
      for (const values of [own.backdrop.y.data, own.backdrop.u.data, own.depths]) {
        expect(values.every(Number.isFinite)).toBe(true);
      }
    }
  });

  it('that is all product is filmed too', async () => {
    const whole = { ...SUBJECT, alpha: drawPlane(STAGE, () => 1), box: { left: 0, top: 0, right: 96, bottom: 96 } };
    const own = await buildStage(PHOTO, whole, { ...STAGE, left: 0, top: 0 }, STAGE);
    expect([...own.backdrop.y.data, ...own.backdrop.v.data].every(Number.isFinite)).toBe(true);
    expect(paintFrame(own, momentAt(0)).alpha.every((value) => value === 1)).toBe(true);
  });
});

const PHOTO_SIZE = { width: 120, height: 80 };
const wall = drawRgb(PHOTO_SIZE, (x, y) => [x, y, 90]);
const isCup = (x: number, y: number) => x >= 50 && x < 70 && y >= 30 && y < 60;

/** A matting that detects the cup at any size. */
function makeMatting(received: Rgb[] = []): Pick<Matting, 'find'> {
  return {
    find: async (copy, report) => {
      received.push(copy);
      await report(50);
      const scale = copy.width / PHOTO_SIZE.width;
      return drawPlane(copy, (x, y) => (isCup(Math.floor(x / scale), Math.floor(y / scale)) ? 1 : 0));
    },
  };
}

const failing = (error: Error): Pick<Matting, 'find'> => ({ find: () => Promise.reject(error) });
const silent = async () => {};

describe('the product of a photo', () => {
  it("is the network's detection, in the picture's pixels", async () => {
    const found = await findSubject(wall, makeMatting(), silent);
    expect(found).toMatchObject({
      box: { left: 50, top: 30, right: 70, bottom: 60 },
      canMove: true,
      isCutBelow: false,
    });
    expect(found!.alpha).toMatchObject(PHOTO_SIZE);
  });

  it('is detected on a small copy, and returned at full size', async () => {
    const scale = 10;
    const large = drawRgb({ width: 1200, height: 800 }, (x, y) => [x >> 3, y >> 3, 90]);
    const received: Rgb[] = [];
    const found = await findSubject(large, makeMatting(received), silent);
    expect(Math.max(received[0]!.width, received[0]!.height)).toBe(800);
    expect(found!.alpha.width).toBe(1200);
    for (const [edge, at] of Object.entries({ left: 50, top: 30, right: 70, bottom: 60 })) {
      expect(Math.abs(found!.box[edge as 'left'] - at * scale)).toBeLessThan(4);
    }
  });

  it('leaves the photo unchanged', async () => {
    const photo = { ...wall, data: Buffer.from(wall.data) };
    await findSubject(photo, makeMatting(), silent);
    expect(photo.data.equals(wall.data)).toBe(true);
  });

  it("reports the detection's progress", async () => {
    const reported: number[] = [];
    await findSubject(wall, makeMatting(), async (percent) => void reported.push(percent));
    expect(reported[0]).toBe(50);
  });

  it.each([new UnclearProduct('fog'), new Error('out of memory')])('is not invented: %s', async (fault) => {
    await expect(findSubject(wall, failing(fault), silent)).rejects.toBe(fault);
  });

  it('of a transparent upload needs no detection', async () => {
    const alpha = Uint8Array.from({ length: 120 * 80 }, (_, i) => (isCup(i % 120, Math.floor(i / 120)) ? 255 : 0));
    const found = await findSubject({ ...wall, alpha }, failing(new Error('asked')), silent);
    expect(found!.box).toEqual({ left: 50, top: 30, right: 70, bottom: 60 });
    expect(Math.max(...found!.alpha.data)).toBe(1);
  });
});

describe('a product that cannot move separately', () => {
  const findIn = (alpha: Plane) => findSubject(wall, { find: async () => alpha }, silent);
  const box = (left: number, top: number, right: number, bottom: number) =>
    findIn(drawPlane(PHOTO_SIZE, (x, y) => (x >= left && x < right && y >= top && y < bottom ? 1 : 0)));

  it.each([
    ['reaches the right edge', [60, 20, 120, 60]],
    ['reaches the left edge', [0, 20, 60, 60]],
    ['reaches the upper edge', [40, 0, 80, 40]],
    ['is all there is', [0, 0, 120, 80]],
  ] as const)('is one that %s', async (_, [left, top, right, bottom]) => {
    expect(await box(left, top, right, bottom)).toMatchObject({ box: { left, top, right, bottom }, canMove: false });
  });

  it('is undefined if it is a crumb', async () => {
    expect(await box(60, 40, 65, 45)).toBeUndefined();
  });

  it.each([
    ['is free on all sides', [1, 1, 119, 79], false],
    ['reaches the lower edge only', [40, 20, 80, 80], true],
    ['is just large enough', [60, 40, 67, 46], false],
  ] as const)('is not one that %s', async (_, [left, top, right, bottom], isCutBelow) => {
    expect(await box(left, top, right, bottom)).toMatchObject({ canMove: true, isCutBelow });
  });

  it('is undefined if its alpha is faint everywhere', async () => {
    expect(await findIn(drawPlane(PHOTO_SIZE, (x, y) => (isCup(x, y) ? 0.49 : 0)))).toBeUndefined();
    expect(await findIn(drawPlane(PHOTO_SIZE, (x, y) => (isCup(x, y) ? 0.51 : 0)))).toBeDefined();
  });
});
