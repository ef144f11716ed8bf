import { describe, expect, it } from 'vitest';
import { BOX, makeFlatStage, makeGrey, makeStage, momentAt, STAGE } from '../../test/stage.ts';
import { makeHoverShadow } from './hover-shadow.ts';
import type { StagePose } from './pose.ts';

const shadow = makeHoverShadow(await makeStage());
const { width } = STAGE;

/** How much darker every pixel of an even grey is, with a tint of colour. */
function darken(pose: Partial<StagePose>): { dark: number[]; u: Uint8ClampedArray } {
  const canvas = makeGrey(150);
  canvas.u.fill(90);
  shadow.behind?.(canvas, momentAt(1, pose));
  return { dark: [...canvas.y].map((value) => 150 - value), u: canvas.u };
}

const total = (dark: number[]) => dark.reduce((sum, value) => sum + value, 0);
const middle = (dark: number[], place: (i: number) => number) =>
  dark.reduce((sum, value, i) => sum + value * place(i), 0) / total(dark);
const columnOf = (i: number) => i % width;
const rowOf = (i: number) => Math.floor(i / width);

describe('the shadow of a product that hovers', () => {
  it.each([0, -4])('is not there while it stands: lift %i', (lift) => {
    expect(darken({ lift }).dark.every((value) => value === 0)).toBe(true);
  });

  it('comes in without a jump', () => {
    const amounts = [0.3, 0.6, 0.9].map((lift) => total(darken({ lift }).dark));
    expect(amounts[0]).toBeGreaterThan(0);
    expect(amounts[1]! / amounts[0]!).toBeGreaterThan(1.5);
    expect(amounts[2]! / amounts[1]!).toBeLessThan(1.9);
  });

  it('lies under the foot, and stays on the floor however high the product is', () => {
    for (const lift of [3, 8, 14]) {
      const { dark } = darken({ lift });
      expect(Math.abs(middle(dark, columnOf) - (BOX.left + BOX.right) / 2)).toBeLessThan(1);
      expect(Math.abs(middle(dark, rowOf) - BOX.bottom)).toBeLessThan(5);
    }
  });

  it('is paler and softer the higher the product is', () => {
    const [low, high] = [darken({ lift: 3 }).dark, darken({ lift: 12 }).dark];
    expect(Math.max(...high)).toBeLessThan(0.6 * Math.max(...low));
    const area = (dark: number[], share: number) => {
      const least = share * Math.max(...dark);
      return dark.filter((value) => value > least).length;
    };
    const softness = (dark: number[]) => area(dark, 0.3) / area(dark, 0.7);
    expect(softness(high)).toBeGreaterThan(1.4 * softness(low));
  });

  it('goes with the floor when the camera moves', () => {
    const [rest, moved] = [darken({ lift: 5 }).dark, darken({ lift: 5, turnX: 12, turnY: -6 }).dark];
    expect(middle(moved, columnOf) - middle(rest, columnOf)).toBeCloseTo(12, 0);
    expect(middle(moved, rowOf) - middle(rest, rowOf)).toBeCloseTo(-6, 0);
  });

  it('darkens only, and takes away colour as much as light', () => {
    const { dark, u } = darken({ lift: 3 });
    expect(Math.min(...dark)).toBe(0);
    const [at, half] = [76 * width + 48, 38 * 48 + 24];
    const light = 1 - dark[at]! / (150 - 16);
    expect(light).toBeLessThan(0.9);
    expect(Math.abs((128 - u[half]!) / (128 - 90) - light)).toBeLessThan(0.03);
  });

  it('needs a product', async () => {
    expect(makeHoverShadow(await makeFlatStage())).toEqual({});
  });
});
