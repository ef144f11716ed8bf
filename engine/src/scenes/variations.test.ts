import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { listDifferences, mean, pairs, MIN_VISIBLE_DIFFERENCE, show } from '../../test/tries.ts';
import { getPlate } from './plates.ts';
import { changeLight, findFreedom, lookOf, moveLamp } from './light.ts';

describe('a variation', () => {
  it('can be told from the first picture and from the other tries at sight', async () => {
    const tries = [await show('marble'), await show('marble', 8), await show('marble', 9)];
    for (const [one, other] of pairs(tries))
      expect(mean(listDifferences(one, other))).toBeGreaterThan(MIN_VISIBLE_DIFFERENCE);
  });

  it('is the same picture for the same number', async () => {
    const [one, other] = [await show('marble', 5), await show('marble', 5)];
    expect(one.picture).toEqual(other.picture);
  });
});

describe('what a variation may change', () => {
  it.each([
    ['marble', 'hour'],
    ['wooden table with roses', 'hour'],
    ['marble at sunset', 'exposure'],
    ['bright marble', 'exposure'],
    ['navy wall', 'exposure'],
    ['pink roses on a table', 'exposure'],
    ['marble, not at sunset', 'hour'],
    ['no red', 'hour'],
    ['white background', 'shadows'],
    ['black wall, white table', 'shadows'],
  ] as const)('of "%s" is the %s', (prompt, freedom) => {
    expect(findFreedom(readBrief(prompt))).toBe(freedom);
  });

  it('is another look for each of twelve tries in a row', () => {
    for (const first of [0, 7, 1_000_001]) {
      const looks = Array.from({ length: 12 }, (_, n) => JSON.stringify(lookOf(first + n)));
      expect(new Set(looks).size).toBe(12);
    }
  });
});

describe('the light of a variation', () => {
  const plate = getPlate('morning-table');
  const inColours = (wall: string, surface: string) => ({ ...plate, seen: { wall, surface } });
  const NUMBERS = [0, 1, 2, 3];

  it('has a colour of its own where no light was asked for, and only more or less of it else', () => {
    for (const n of NUMBERS) {
      expect(new Set(changeLight(n, 'hour', plate)).size).toBe(3);
      expect(new Set(changeLight(n, 'exposure', plate)).size).toBe(1);
    }
  });

  it('is never less in a dark scene, where there would be nothing to see', () => {
    for (const n of NUMBERS) {
      for (const factor of changeLight(n, 'hour', inColours('#202020', '#181818'))) expect(factor).toBeGreaterThan(1);
    }
  });

  it('is never more in a scene that is nearly white, where it would burn out', () => {
    for (const n of NUMBERS) {
      for (const factor of changeLight(n, 'exposure', inColours('#f4f4f4', '#808080'))) expect(factor).toBeLessThan(1);
    }
  });

  it('of a dark wall over a bright floor is that of no dark scene', () => {
    expect(changeLight(0, 'hour', inColours('#202020', '#a0a0a0'))).toEqual(changeLight(0, 'hour', plate));
  });
});

describe('the lamp of a variation', () => {
  const studio = getPlate('studio-sweep');
  const none = readBrief('');

  it('stands elsewhere in a plain studio, on the side on which it stood', () => {
    const places = [0, 1, 2, 3].map((n) => moveLamp(studio, n, none).light);
    expect(new Set(places.map(({ elevationDeg }) => elevationDeg)).size).toBe(4);
    for (const { azimuthDeg } of places) {
      expect(Math.sign(azimuthDeg)).toBe(Math.sign(studio.light.azimuthDeg));
      expect(Math.abs(azimuthDeg)).toBeLessThan(180);
    }
  });

  it('never goes round to the other side, however far it stood', () => {
    for (const azimuthDeg of [-170, -150, 120, 179]) {
      for (const n of [0, 1, 2, 3]) {
        const { light } = moveLamp({ ...studio, light: { ...studio.light, azimuthDeg } }, n, none);
        expect(Math.abs(light.azimuthDeg)).toBeLessThanOrEqual(165);
        expect(Math.sign(light.azimuthDeg)).toBe(Math.sign(azimuthDeg));
      }
    }
  });

  it('is as soft as the words want it, where they say so', () => {
    expect(moveLamp(studio, 1, readBrief('hard light')).light.softness).toBe(studio.light.softness);
    expect(moveLamp(studio, 1, none).light.softness).not.toBe(studio.light.softness);
  });

  it('stays where it is in a set that shows what it lights', () => {
    const set = getPlate('morning-table');
    for (const n of [0, 1, 2, 3]) expect(moveLamp(set, n, none)).toBe(set);
  });
});
