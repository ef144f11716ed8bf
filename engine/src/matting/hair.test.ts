import { beforeAll, describe, expect, it } from 'vitest';
import type { Picture } from '../pixels/decode.ts';
import { toLabPlanes } from '../pixels/lab.ts';
import { loadOpenCv } from '../pixels/opencv.ts';
import { makeRandom } from '../pixels/random.ts';
import { addHair } from './hair.ts';
import { overlap } from './regions.ts';

beforeAll(loadOpenCv);

const [WIDTH, HEIGHT] = [200, 220];
const FACE = { left: 80, top: 60, width: 40, height: 50 };

type Colour = readonly [number, number, number];
const isIn = (i: number, x: number, y: number, wide: number, high: number) =>
  (((i % WIDTH) - x) / wide) ** 2 + ((Math.floor(i / WIDTH) - y) / high) ** 2 < 1;
const isFace = (i: number) => isIn(i, 100, 84, 21, 29);
const isBody = (i: number) => isIn(i, 100, 210, 60, 90);
const isHair = (i: number) => isIn(i, 100, 80, 32, 42) || (isIn(i, 100, 120, 34, 50) && !isBody(i));

/** Someone with long brown hair, and the figure that a skeleton finds: face, body and a cap of hair on the crown. */
function paintPerson(room: (x: number, y: number) => Colour) {
  const random = makeRandom(11);
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3);
  const whole = new Uint8Array(WIDTH * HEIGHT);
  const figure = new Uint8Array(WIDTH * HEIGHT);
  for (let i = 0; i < whole.length; i += 1) {
    whole[i] = Number(isFace(i) || isBody(i) || isHair(i));
    figure[i] = Number(isFace(i) || isBody(i) || isIn(i, 100, 62, 18, 18));
    const behind = room(i % WIDTH, Math.floor(i / WIDTH));
    const colour = isFace(i) ? [205, 160, 130] : isHair(i) ? [62, 38, 30] : isBody(i) ? [225, 220, 210] : behind;
    rgb.set(
      colour.map((value) => Math.round(value + 6 * random())),
      i * 3,
    );
  }
  const picture: Picture = { width: WIDTH, height: HEIGHT, rgb };
  return { whole, figure, hairy: addHair(picture, toLabPlanes(picture), figure, FACE) };
}

describe('long hair', () => {
  it('is added before hills and meadows', () => {
    const { whole, figure, hairy } = paintPerson((x, y) => {
      if (y < 50) return [205, 215, 228];
      return (x >> 4) % 2 ? [110, 140, 60] : [150, 160, 175];
    });
    expect(overlap(figure, whole)).toBeLessThan(0.85);
    expect(overlap(hairy, whole)).toBeGreaterThan(0.96);
  });

  it('takes nothing of a room that is as dark with it', () => {
    const { figure, hairy } = paintPerson((x) => (x > 130 ? [60, 37, 30] : [66, 40, 32]));
    expect(overlap(hairy, figure)).toBeGreaterThan(0.97);
  });
});
