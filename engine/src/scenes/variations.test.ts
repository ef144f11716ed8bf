import { describe, expect, it } from 'vitest';
import { readBrief } from '../words/brief.ts';
import { listDifferences, mean, pairs, MIN_VISIBLE_DIFFERENCE, show } from '../../test/tries.ts';
import { getPlate } from './plates.ts';
import { changeLight, findFreedom, lookOf, moveLamp } from './light.ts';

describe('a variation', () => {
  it('differs visibly from the first picture and from other tries', async () => {
    const tries = [await show('marble'), await show('marble', 8), await show('marble', 9)];
    for (const [one, other] of pairs(tries))
      expect(mean(listDifferences(one, other))).toBeGreaterThan(MIN_VISIBLE_DIFFERENCE);
  });

  it('is the same picture for the same number', async () => {
    const [one, other] = [await show('marble', 5), await show('marble', 5)];
    expect(one.picture).toEqual(other.picture);
  });
});

describe('the freedom of a variation', () => {
  it.each([
    ['marble', 'hour'],
    ['wooden table with roses', 'hour'],
    ['marble at sunset', 'exposure'],
    ['bright marble', 'exposure'],
    ['navy wall', 'exposure'],
    ['pink roses on a table', 'exposure'],
    ['marble, not at sunset', 'hour'],
    ['no red', 'hour'],
    ['marble at night', 'view'],
    ['dunkler Raum, Kerzenlicht', 'view'],
    ['white background', 'shadows'],
    ['black wall, white table', 'shadows'],
  ] as const)('of "%s" is the %s', (prompt, freedom) => {
    expect(findFreedom(readBrief(prompt))).toBe(freedom);
  });

  it('is another look for each of twenty tries in a row', () => {
    for (const first of [0, 7, 1_000_001]) {
      const looks = Array.from({ length: 20 }, (_, n) => JSON.stringify(lookOf(first + n)));
      expect(new Set(looks).size).toBe(20);
    }
  });

  it('is another view and another light for each of four tries in a row', () => {
    for (const first of [0, 7, 1_000_001]) {
      const looks = [0, 1, 2, 3].map((n) => lookOf(first + n));
      for (const part of ['hour', 'exposure', 'near', 'centre', 'size'] as const) {
        expect(new Set(looks.map((look) => look[part].toString())).size, part).toBe(4);
      }
    }
  });
});

describe('the light of a variation', () => {
  const plate = getPlate('morning-table');
  const inColours = (wall: string, surface: string) => ({ ...plate, seen: { wall, surface } });
  const NUMBERS = [0, 1, 2, 3];

  it('has a colour of its own if no light is requested, else only another brightness', () => {
    for (const n of NUMBERS) {
      expect(new Set(changeLight(n, 'hour', plate)).size).toBe(3);
      expect(new Set(changeLight(n, 'exposure', plate)).size).toBe(1);
    }
  });

  it('is never duller than that of the first picture', () => {
    for (const n of NUMBERS) {
      const [red, green, blue] = changeLight(n, 'hour', plate);
      expect(0.2126 * red + 0.7152 * green + 0.0722 * blue).toBeGreaterThan(0.98);
      expect(changeLight(n, 'exposure', plate)[0]).toBeGreaterThan(1);
    }
  });

  it('is that of the first picture where little light was asked for', () => {
    for (const n of NUMBERS) expect(changeLight(n, 'view', plate)).toEqual([1, 1, 1]);
  });

  it('is never less in a dark scene, where there would be nothing to see', () => {
    for (const n of NUMBERS) {
      for (const factor of changeLight(n, 'hour', inColours('#202020', '#181818'))) expect(factor).toBeGreaterThan(1);
    }
  });

  it('is never brighter in a nearly white scene', () => {
    for (const n of NUMBERS) {
      for (const factor of changeLight(n, 'exposure', inColours('#f4f4f4', '#808080'))) expect(factor).toBeLessThan(1);
    }
  });

  it('of a dark wall over a bright floor does not count as dark', () => {
    expect(changeLight(0, 'hour', inColours('#202020', '#a0a0a0'))).toEqual(changeLight(0, 'hour', plate));
  });
});

describe('the lamp of a variation', () => {
  const studio = getPlate('studio-sweep');
  const none = readBrief('');

  it('moves in a plain studio, and stays on its side', () => {
    const places = [0, 1, 2, 3].map((n) => moveLamp(studio, n, none).light);
    expect(new Set(places.map(({ elevationDeg }) => elevationDeg)).size).toBe(4);
    for (const { azimuthDeg } of places) {
      expect(Math.sign(azimuthDeg)).toBe(Math.sign(studio.light.azimuthDeg));
      expect(Math.abs(azimuthDeg)).toBeLessThan(180);
    }
  });

  it('never crosses to the other side', () => {
    for (const azimuthDeg of [-170, -150, 120, 179]) {
      for (const n of [0, 1, 2, 3]) {
        const { light } = moveLamp({ ...studio, light: { ...studio.light, azimuthDeg } }, n, none);
        expect(Math.abs(light.azimuthDeg)).toBeLessThanOrEqual(165);
        expect(Math.sign(light.azimuthDeg)).toBe(Math.sign(azimuthDeg));
      }
    }
  });

  it('is as soft as the words state', () => {
    expect(moveLamp(studio, 1, readBrief('hard light')).light.softness).toBe(studio.light.softness);
    expect(moveLamp(studio, 1, none).light.softness).not.toBe(studio.light.softness);
  });

  it('stays in a set that shows what it lights', () => {
    const set = getPlate('morning-table');
    for (const n of [0, 1, 2, 3]) expect(moveLamp(set, n, none)).toBe(set);
  });
});
