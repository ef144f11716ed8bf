import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeBust } from '../../test/bust.ts';
import { drawRgb } from '../../test/draw.ts';
import { lookForBody, lookForFaces } from './networks.ts';

const { picture } = makeBust({ hangs: 0.4 });
const { fetch } = globalThis;
/** What was asked of the network of the machine, by anybody. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return new Response('outside');
  };
});
afterEach(() => {
  globalThis.fetch = fetch;
});

describe('the people networks', () => {
  it('read their models from the disk, and ask nobody for anything', async () => {
    const mine = globalThis.fetch;
    const { result } = await lookForFaces(picture);
    expect(result.face).toHaveLength(1);
    expect(asked).toEqual([]);
    expect(globalThis.fetch).toBe(mine);
  });

  it('put everybody else’s requests through while they look', async () => {
    const mine = globalThis.fetch;
    const looking = lookForBody(picture);
    while (globalThis.fetch === mine) await new Promise((resolve) => setImmediate(resolve));
    expect(await (await globalThis.fetch('http://elsewhere.test/a')).text()).toBe('outside');
    expect(asked).toEqual(['http://elsewhere.test/a']);
    await looking;
    expect(globalThis.fetch).toBe(mine);
  });

  it('lead from their own pixels to those of the picture, however wide it is', async () => {
    for (const [width, height] of [
      [300, 200],
      [200, 300],
      [2000, 1500],
    ] as const) {
      const { toPicture } = await lookForBody(drawRgb({ width, height }, () => [128, 128, 128]));
      const scale = Math.max(1, Math.max(width, height) / 1024);
      const one = toPicture(11, 17);
      const other = toPicture(12, 18);
      expect([other.x - one.x, other.y - one.y].map((step) => step / scale)).toEqual([
        expect.closeTo(1, 2),
        expect.closeTo(1, 2),
      ]);
      const middle = (Math.max(width, height) / scale - 1) / 2;
      expect(Math.abs(toPicture(middle, middle).x - width / 2)).toBeLessThan(2);
      expect(Math.abs(toPicture(middle, middle).y - height / 2)).toBeLessThan(2);
    }
  });
});
