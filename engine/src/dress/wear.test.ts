import { describe, expect, it } from 'vitest';
import { CLOTH, makeWearer, PERSON, readShirt, ROOM, SKIN, WALL } from '../../test/clothes.ts';
import { drawRgb, fillWith, type Colour } from '../../test/draw.ts';
import { makePlane, type Rgb } from '../pixels/plane.ts';
import { fitGarment } from './fit.ts';
import type { Fit } from './fit-parts.ts';
import { makeLayers, paintGarment } from './wear.ts';

const wearer = makeWearer();
const shirt = readShirt();
const FLAT_LIGHT = new Float32Array(ROOM.width * ROOM.height);

/** Nothing of a garment anywhere. */
function makeFit(changes: Partial<Fit> = {}): Fit {
  const plane = () => makePlane(ROOM).data;
  return { x: plane(), y: plane(), cover: plane(), bare: plane(), keep: plane(), gone: plane(), ...changes };
}

/** 1 in a square on the chest. */
function onChest(share = 1): Float32Array {
  const plane = makePlane(ROOM).data;
  for (let y = 120; y < 140; y += 1) plane.fill(share, y * ROOM.width + 80, y * ROOM.width + 100);
  return plane;
}

const CHEST = { x: 90, y: 130 };

function paint(fit: Fit, { picture = wearer.picture, flat = shirt.picture, folds = FLAT_LIGHT } = {}): Rgb {
  const layers = makeLayers(wearer, fit, folds);
  return { ...picture, data: paintGarment(picture, wearer, flat, flat.width / shirt.picture.width, layers) };
}

const readColour = ({ data, width }: Rgb, { x, y }: { x: number; y: number }) => [
  ...data.subarray(3 * (y * width + x), 3 * (y * width + x) + 3),
];
const expectColour = (colour: number[], expected: Colour, within = 2) => {
  for (const [c, value] of colour.entries()) expect(Math.abs(value - expected[c]!)).toBeLessThanOrEqual(within);
};

describe('a painted garment', () => {
  it('changes no byte where there is none', () => {
    expect(paint(makeFit()).data).toEqual(wearer.picture.data);
  });

  it('shows the colours of the place that the fit names', () => {
    const painted = paint(makeFit({ cover: onChest(), x: onChest(80), y: onChest(120) }));
    expectColour(readColour(painted, CHEST), CLOTH);
    for (const place of [
      { x: 60, y: 130 },
      { x: 90, y: 160 },
      { x: 2, y: 2 },
    ]) {
      expect(readColour(painted, place)).toEqual(readColour(wearer.picture, place));
    }
  });

  it('is lit by the folds: log light .7 is twice as bright', () => {
    const fit = makeFit({ cover: onChest(), x: onChest(80), y: onChest(120) });
    const grey = drawRgb(shirt.picture, () => [100, 100, 100]);
    const folds = FLAT_LIGHT.map(() => Math.log(2));
    expectColour(readColour(paint(fit, { flat: grey, folds }), CHEST), [137, 137, 137]);
  });

  it('shows skin where its neckline bares it, and the wall where the old clothes were wider', () => {
    expectColour(readColour(paint(makeFit({ bare: onChest() })), CHEST), SKIN, 6);
    const beside = makePlane(ROOM).data;
    for (let y = 90; y < 100; y += 1) beside.fill(1, y * ROOM.width + 165, y * ROOM.width + 175);
    expectColour(readColour(paint(makeFit({ gone: beside })), { x: 170, y: 95 }), WALL, 4);
  });

  it('lets the old clothes be seen under a jacket worn open', () => {
    const half = onChest(0.5);
    const painted = paint(makeFit({ cover: half, keep: half, x: onChest(80), y: onChest(120) }));
    const [red] = readColour(painted, CHEST);
    expect(red).toBeGreaterThan(Math.min(CLOTH[0], 40));
    expect(red).toBeLessThan(CLOTH[0]);
  });

  it('takes its pixels from the full picture, and gives one of the full size', () => {
    const twice = (picture: Rgb) =>
      drawRgb({ width: 2 * picture.width, height: 2 * picture.height }, (x, y) => {
        const [red = 0, green = 0, blue = 0] = readColour(picture, { x: x >> 1, y: y >> 1 });
        return [red, green, blue];
      });
    const fit = makeFit({ cover: onChest(), x: onChest(80), y: onChest(120) });
    const large = paint(fit, { picture: twice(wearer.picture), flat: twice(shirt.picture) });
    expect(large.data).toHaveLength(4 * wearer.picture.data.length);
    expectColour(readColour(large, { x: 181, y: 261 }), CLOTH);
  });

  it('reads nothing outside the garment, wherever the fit leads', () => {
    const lost = makeFit({ cover: onChest(), x: onChest(-500), y: onChest(9000) });
    expectColour(readColour(paint(lost), CHEST), [207, 202, 194]);
  });
});

it('dresses a person from head to hem and leaves head, hands and wall to the byte', () => {
  const fit = fitGarment(wearer, shirt, 'tops');
  const painted = paint(fit!);
  expectColour(readColour(painted, { x: PERSON.middle + 5, y: 130 }), CLOTH);
  expectColour(readColour(painted, { x: PERSON.middle - 46, y: 92 }), CLOTH);
  for (const place of [
    { x: 90, y: 25 },
    { x: 10, y: 30 },
    { x: 150, y: 160 },
    { x: 90, y: 200 },
  ]) {
    expect(readColour(painted, place)).toEqual(readColour(wearer.picture, place));
  }
});

it('makes up what is behind from what is not clothes, even of a picture that is nothing else', () => {
  const all = { ...wearer, top: { ...wearer.top, data: wearer.top.data.map(() => 1) } };
  const { behind, chest } = makeLayers(all, makeFit(), FLAT_LIGHT);
  expect([...behind, ...chest].every(Number.isFinite)).toBe(true);
  const red = { ...all, picture: fillWith(wearer.picture, wearer.skin, [255, 0, 0]) };
  expect(makeLayers(red, makeFit(), FLAT_LIGHT).behind.every(Number.isFinite)).toBe(true);
});
