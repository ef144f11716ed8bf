import { describe, expect, it } from 'vitest';
import { drawPlane } from '../../test/draw.ts';
import { makePlane, type Plane } from '../pixels/plane.ts';
import { hexToBytes, turnColour } from '../pixels/colour.ts';
import { findContact } from './contact.ts';
import { getPlate, type Plate } from './plates.ts';
import { makeShadows, makeWallShadow, mirrorProduct, type Caster } from './shadows.ts';

const studio = getPlate('studio-sweep');
const PICTURE = { width: 192, height: 192 };
const SCALE = PICTURE.width / 1536;
const everywhere = drawPlane(PICTURE, () => 1);

/** A box of 30 x 40 pixels at the plate's stand point. */
const solid = drawPlane({ width: 30, height: 40 }, () => 1);
const caster: Caster = {
  alpha: solid,
  contact: findContact(solid),
  left: Math.round(studio.stand.x * SCALE) - 15,
  top: Math.round(studio.stand.y * SCALE) - 40,
  scale: SCALE,
  crop: { x: 0, y: 0 },
};
const litFrom = (azimuthDeg: number, changes: Partial<Plate['light']> = {}): Plate => ({
  ...studio,
  light: { ...studio.light, azimuthDeg, elevationDeg: 35, softness: 0.3, ...changes },
});
const sum = ({ data, width }: Plane, isCounted: (x: number, y: number) => boolean) =>
  data.reduce((so, value, i) => (isCounted(i % width, Math.floor(i / width)) ? so + value : so), 0);
const middle = caster.left + 15;
const foot = caster.top + 40;

describe('a shadow', () => {
  it('falls to the side away from the light', () => {
    for (const [azimuth, side] of [
      [90, -1],
      [-90, 1],
    ] as const) {
      const { cast } = makeShadows(litFrom(azimuth), caster, everywhere);
      const away = sum(cast, (x) => (x - middle) * side > 18);
      expect(away).toBeGreaterThan(3 * sum(cast, (x) => (middle - x) * side > 18));
    }
  });

  it('starts under every foot, also one further back', () => {
    const legs = drawPlane({ width: 60, height: 60 }, (x, y) =>
      y < 10 || (x < 12 && y < 60) || (x >= 48 && y < 48) ? 1 : 0,
    );
    const left = Math.round(studio.stand.x * SCALE) - 30;
    const table = { ...caster, alpha: legs, contact: findContact(legs), left, top: foot - 60 };
    for (const azimuth of [-60, 60]) {
      const { data } = makeShadows(litFrom(azimuth, { softness: 0.05 }), table, everywhere).cast;
      const darkest = (from: number, row: number) =>
        Math.max(...Array.from({ length: 14 }, (_, n) => data[row * PICTURE.width + left + from - 1 + n]!));
      expect(darkest(0, foot - 3)).toBeGreaterThan(0.4);
      expect(darkest(48, foot - 15)).toBeGreaterThan(0.4);
      expect(darkest(48, foot - 3)).toBeLessThan(0.1);
    }
  });

  it('is as deep as its caster is wide', () => {
    const deepest = (width: number) => {
      const pole = drawPlane({ width, height: 40 }, () => 1);
      const at = { ...caster, alpha: pole, contact: findContact(pole), left: middle - width / 2 };
      const { data } = makeShadows(litFrom(-90), at, everywhere).cast;
      const column = Array.from({ length: PICTURE.height }, (_, y) => data[y * PICTURE.width + middle + 30]!);
      return column.reduce((sum, share) => sum + share, 0);
    };
    expect(deepest(30)).toBeGreaterThan(1.5 * deepest(6));
  });

  it('towards the camera ends in front of it', () => {
    const tower = drawPlane({ width: 60, height: 190 }, () => 1);
    const high = { ...caster, alpha: tower, contact: findContact(tower), left: middle - 30, top: foot - 190 };
    const { data } = makeShadows(litFrom(180, { elevationDeg: 22 }), high, everywhere).cast;
    expect(Math.max(...data.slice((PICTURE.height - 1) * PICTURE.width))).toBeGreaterThan(0.3);
    expect(Math.max(...data.slice(0, (foot - 30) * PICTURE.width))).toBeLessThan(0.05);
  });

  it('is longer with lower light, but finite', () => {
    const measure = (elevationDeg: number) =>
      sum(makeShadows(litFrom(90, { elevationDeg }), caster, everywhere).cast, (x) => Math.abs(x - middle) > 20);
    expect(measure(30)).toBeGreaterThan(1.2 * measure(60));
    expect(measure(1)).toBeCloseTo(measure(22), 3);
  });

  it('of contact lies along the foot only', () => {
    const { contact } = makeShadows(litFrom(90), caster, everywhere);
    expect(contact.data[(foot - 1) * PICTURE.width + middle]).toBeGreaterThan(0.6);
    expect(sum(contact, (_, y) => y < foot - 15)).toBeLessThan(0.01);
  });

  it('of ambient light surrounds the caster on its ground only', () => {
    const at = (surface: Plane) => makeShadows(litFrom(90), caster, surface).contact.data;
    const before = (foot + 7) * PICTURE.width + middle;
    expect(at(everywhere)[before]).toBeGreaterThan(0.03);
    expect(at(drawPlane(PICTURE, (_, y) => (y < foot + 5 ? 1 : 0)))[before]).toBeLessThan(0.01);
  });

  it('falls on the surface only', () => {
    const onLeft = drawPlane(PICTURE, (x) => (x < middle - 20 ? 1 : 0));
    const { cast } = makeShadows(litFrom(-90), caster, onLeft);
    const free = makeShadows(litFrom(-90), caster, everywhere).cast;
    expect(sum(cast, (x) => x > middle)).toBeLessThan(0.02 * sum(free, (x) => x > middle));
  });

  it('surrounds a product seen from above', () => {
    const { cast } = makeShadows({ ...litFrom(0), view: 'above' }, caster, everywhere);
    for (const side of [-1, 1]) expect(sum(cast, (x) => (x - middle) * side > 15)).toBeGreaterThan(1);
    expect(sum(cast, () => true)).toBeGreaterThan(500);
  });

  it('on a wall lies below and beside the product, without contact', () => {
    const { cast, contact } = makeWallShadow(litFrom(90), caster, everywhere);
    expect(sum(cast, (x) => x < middle)).toBeGreaterThan(1.5 * sum(cast, (x) => x > middle));
    expect(sum(cast, (_, y) => y > foot)).toBeGreaterThan(sum(cast, (_, y) => y < foot - 40));
    expect(sum(contact, () => true)).toBe(0);
  });

  it.each([
    ['nothing', makePlane({ width: 30, height: 40 })],
    ['one pixel', drawPlane({ width: 1, height: 1 }, () => 1)],
    ['a hair', drawPlane({ width: 1, height: 60 }, () => 1)],
  ])('of %s is within 0..1 everywhere', (_, alpha) => {
    for (const view of ['eye', 'above'] as const) {
      const shadows = makeShadows(
        { ...litFrom(90), view },
        { ...caster, alpha, contact: findContact(alpha) },
        everywhere,
      );
      for (const { data } of [shadows.cast, shadows.contact]) {
        expect(data.every((share) => share >= 0 && share <= 1.0001)).toBe(true);
      }
    }
  });
});

describe('a reflection', () => {
  const rgb = new Float32Array(3 * 30 * 40).map((_, n) => (n % 3 === 0 ? Math.floor(n / 90) / 40 : 0));
  const placed = { ...solid, rgb, alpha: solid, contact: caster.contact, left: caster.left, top: caster.top };
  const { alpha: shown, rgb: colours } = mirrorProduct(placed, PICTURE, 0);
  const at = (plane: Plane, y: number) => plane.data[y * PICTURE.width + middle]!;

  it('starts under the foot and fades with depth', () => {
    expect(at(shown, foot - 3)).toBe(0);
    expect(at(shown, foot + 1)).toBeGreaterThan(0.7);
    expect(at(shown, foot + 10)).toBeLessThan(at(shown, foot + 2));
    expect(at(shown, foot + 25)).toBe(0);
  });

  it('is upside down', () => {
    const [red] = colours;
    const own = (y: number) => at(red!, y) / at(shown, y);
    expect(own(foot + 2)).toBeGreaterThan(own(foot + 10));
  });

  it('is empty without contact or outside the picture', () => {
    const none = { ...placed, contact: { ...caster.contact, spots: [] } };
    for (const product of [none, { ...placed, left: 500 }, { ...placed, top: 500 }]) {
      expect(sum(mirrorProduct(product, PICTURE, 2).alpha, () => true)).toBe(0);
    }
  });
});

it('makes colours darker and lighter, and parses them', () => {
  expect(hexToBytes('#0a80ff')).toEqual([10, 128, 255]);
  expect(turnColour('#808080', 0)).toBe('#808080');
  expect(turnColour('#808080', 1)).toBe('#0c0c0c');
  expect(turnColour('#808080', -1)).toBe('#fafafa');
  const [dark] = hexToBytes(turnColour('#808080', 0.5));
  expect(dark).toBe(70);
});
