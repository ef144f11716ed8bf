import { describe, expect, it } from 'vitest';
import { drawFace, makeFace, PLAIN_FACE, type FaceColours } from '../../test/face.ts';
import type { Colour } from '../../test/draw.ts';
import { fillPolygon } from '../pixels/shapes.ts';
import type { Box, Rgb } from '../pixels/plane.ts';
import { pasteCrop } from './crops.ts';
import { alignCrops, DARKEST, logOfByte, swapFace, type Person } from './face-swap.ts';
import { LEFT_EYE, LIPS, NOSE, OVAL } from './landmarks.ts';
import { pick } from './skin.ts';

const SIZE = { width: 140, height: 170 };

function makePerson(box: Box, colours: Partial<FaceColours> = {}, size = SIZE): Person {
  const face = makeFace(box);
  return { face, picture: drawFace(size, face, colours) };
}

const portrait = makePerson({ left: 40, top: 50, width: 60, height: 80 });
const user = makePerson(
  { left: 60, top: 70, width: 90, height: 120 },
  { skin: [150, 100, 80], lips: [190, 40, 60], wall: [20, 160, 60] },
  { width: 210, height: 260 },
);

const readColour = ({ data, width }: Rgb, x: number, y: number) => [
  ...data.subarray(3 * (Math.round(y) * width + Math.round(x)), 3 * (Math.round(y) * width + Math.round(x)) + 3),
];
const apart = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, c) => value - other[c]!));

describe('a swapped face', async () => {
  const swapped = await swapFace(portrait, user);
  const whole = pasteCrop(portrait.picture, swapped.crop, swapped.rgb);

  it('takes the portrait’s skin tone and keeps its own lips', () => {
    const cheek = pick(portrait.face.points, [NOSE])[0]!;
    expect(apart(readColour(whole, cheek.x, cheek.y), PLAIN_FACE.skin)).toBeLessThan(12);
    const lips = pick(portrait.face.points, LIPS);
    const [x, y] = [lips.reduce((sum, point) => sum + point.x, 0) / lips.length, lips[0]!.y];
    const [red, green] = readColour(whole, x, y);
    const lit: Colour = [190 * (205 / 150), 40 * (150 / 100), 60 * (125 / 80)];
    expect(red! - green!).toBeGreaterThan(PLAIN_FACE.lips[0] - PLAIN_FACE.lips[1] + 20);
    expect(apart([red!, green!], lit.slice(0, 2))).toBeLessThan(60);
  });

  it('changes no byte outside the oval', () => {
    const oval = fillPolygon(pick(portrait.face.points, OVAL), SIZE).data;
    const changed = [...oval.keys()].filter((i) =>
      [0, 1, 2].some((c) => whole.data[3 * i + c] !== portrait.picture.data[3 * i + c]),
    );
    expect(changed.length).toBeGreaterThan(500);
    expect(changed.every((i) => oval[i])).toBe(true);
  });

  it('has soft seams: its cover rises from the outline inwards', () => {
    const { cover, crop } = swapped;
    const row = Math.round(crop.place(portrait.face.points[NOSE]!).y) * cover.width;
    const left = crop.place({ x: 40, y: 0 }).x;
    const rim = Array.from({ length: 8 }, (_, n) => cover.data[row + Math.round(left) + n]!);
    expect(rim[0]).toBeLessThan(0.2);
    expect(rim[7]).toBeGreaterThan(0.9);
    for (const [n, value] of rim.entries()) if (n > 0) expect(value).toBeGreaterThanOrEqual(rim[n - 1]! - 1e-6);
  });

  it('keeps the whites of its eyes white', () => {
    const eye = pick(portrait.face.points, LEFT_EYE);
    const x = eye.reduce((sum, point) => sum + point.x, 0) / eye.length;
    const colour = readColour(whole, x, eye[0]!.y);
    expect(Math.max(...colour) - Math.min(...colour)).toBeLessThan(30);
  });
});

it('changes nearly nothing when a face is put on itself', async () => {
  const { crop, rgb } = await swapFace(portrait, portrait);
  const most = Math.max(...rgb.map((value, n) => Math.abs(value - crop.picture.data[n]!)));
  expect(most).toBeLessThan(40);
  const sum = rgb.reduce((total, value, n) => total + Math.abs(value - crop.picture.data[n]!), 0);
  expect(sum / rgb.length).toBeLessThan(1);
});

it('works at the edge of a picture and on the smallest faces', async () => {
  const edge = makePerson({ left: -6, top: 2, width: 60, height: 80 });
  const small = makePerson({ left: 10, top: 10, width: 16, height: 20 }, {}, { width: 40, height: 40 });
  for (const [one, other] of [
    [edge, user],
    [small, user],
    [portrait, small],
  ] as const) {
    const { crop, rgb, cover } = await swapFace(one, other);
    expect(rgb).toHaveLength(crop.picture.data.length);
    expect(cover.data.every((value) => value >= 0 && value <= 1)).toBe(true);
  }
});

it('brings both faces to one size, eye on eye', async () => {
  const { points, userPoints, places, crop } = await alignCrops(portrait, user, 0.35);
  for (const landmark of [...LEFT_EYE, ...LIPS]) {
    const { x, y } = points[landmark]!;
    const i = Math.round(y) * crop.picture.width + Math.round(x);
    expect(Math.hypot(places.x[i]! - userPoints[landmark]!.x, places.y[i]! - userPoints[landmark]!.y)).toBeLessThan(
      1.5,
    );
  }
});

it('knows the light of bytes and of places between them', () => {
  expect(logOfByte(0)).toBeCloseTo(Math.log(DARKEST), 5);
  expect(logOfByte(255)).toBeCloseTo(Math.log(1 + DARKEST), 5);
  for (let byte = 0.5; byte < 255; byte += 1.75) {
    expect(logOfByte(byte)).toBeGreaterThan(logOfByte(byte - 0.5));
    expect(logOfByte(byte)).toBeLessThan(logOfByte(byte + 0.5));
  }
});

describe('a swap', () => {
  it('gives the same bytes twice, and leaves both pictures as they were', async () => {
    const before = [portrait.picture.data.slice(), user.picture.data.slice()];
    const [one, other] = [await swapFace(portrait, user), await swapFace(portrait, user)];
    expect(Buffer.compare(one.rgb, other.rgb)).toBe(0);
    expect(Buffer.compare(portrait.picture.data, before[0]!)).toBe(0);
    expect(Buffer.compare(user.picture.data, before[1]!)).toBe(0);
  });

  it('says where each pixel comes from: a landmark from the same landmark of the user', async () => {
    const { crop, userCrop, places } = await swapFace(portrait, user);
    for (const landmark of [NOSE, LIPS[0], LEFT_EYE[0]]) {
      const at = crop.place(portrait.face.points[landmark]!);
      const i = Math.round(at.y) * crop.picture.width + Math.round(at.x);
      const wanted = userCrop.place(user.face.points[landmark]!);
      expect(Math.hypot(places.x[i]! - wanted.x, places.y[i]! - wanted.y)).toBeLessThan(2);
    }
  });

  it('lights dim whites of eyes by the portrait’s whites, without the tint that skin needs', async () => {
    const dim = makePerson(
      { left: 60, top: 70, width: 90, height: 120 },
      { skin: [150, 100, 80], eyes: [110, 110, 110] },
      { width: 210, height: 260 },
    );
    const { crop, rgb } = await swapFace(portrait, dim);
    const eye = pick(portrait.face.points, LEFT_EYE);
    const x = eye.reduce((sum, point) => sum + point.x, 0) / eye.length;
    const colour = readColour(pasteCrop(portrait.picture, crop, rgb), x, eye[0]!.y);
    expect(Math.max(...colour) - Math.min(...colour)).toBeLessThan(12);
    expect(Math.min(...colour)).toBeGreaterThan(215);
  });

  it('lifts a darker user’s light by the step between the two skins', async () => {
    const { lift, cover } = await swapFace(portrait, user);
    const inside = [...cover.data.keys()].filter((i) => cover.data[i]! > 0.98);
    for (const [c, [from, to]] of [
      [150, PLAIN_FACE.skin[0]],
      [100, PLAIN_FACE.skin[1]],
      [80, PLAIN_FACE.skin[2]],
    ].entries()) {
      const mean = inside.reduce((sum, i) => sum + lift[c as 0 | 1 | 2][i]!, 0) / inside.length;
      expect(Math.abs(mean - (logOfByte(to!) - logOfByte(from!)))).toBeLessThan(0.1);
    }
  });
});
