import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { project } from '../../test/plate.ts';
import { readBrief } from '../words/brief.ts';
import {
  getPlate,
  isPlainStudio,
  listPlates,
  loadPlate,
  MASK_SIZE,
  mirrorPlate,
  PLATE_SIZE,
  rankPlates,
  readGround,
  STANDARD_PLATES,
  type Plate,
} from './plates.ts';

const FOLDER = new URL('../../assets/plates/', import.meta.url);
const { plates: entries } = JSON.parse(readFileSync(new URL('plates.json', FOLDER), 'utf8')) as {
  plates: { id: string; pxPerMetreAtStand: number; files: { image: string; mask: string } }[];
};
const plates = listPlates();
const HEX = /^#[0-9a-f]{6}$/;

describe('every plate', () => {
  it('has a picture and masks of the sizes that composing expects', async () => {
    const sizeOf = async (file: string) => {
      const { width, height } = await sharp(new URL(file, FOLDER).pathname).metadata();
      return [width, height];
    };
    for (const { id, files } of entries) {
      expect([id, ...(await sizeOf(files.image))]).toEqual([id, PLATE_SIZE, PLATE_SIZE]);
      expect([id, ...(await sizeOf(files.mask))]).toEqual([id, MASK_SIZE, MASK_SIZE]);
    }
  });

  it("has its floor's origin at the stand point, metres of the measured size and a level camera", () => {
    for (const { id, pxPerMetreAtStand } of entries) {
      const { floor, stand } = getPlate(id);
      expect([floor[3], floor[6]]).toEqual([0, 0]);
      const [origin, beside] = [project(floor, 0, 0), project(floor, 0.01, 0)];
      expect(Math.hypot(origin.x - stand.x, origin.y - stand.y)).toBeLessThan(1);
      expect(Math.abs((100 * (beside.x - origin.x)) / pxPerMetreAtStand - 1)).toBeLessThan(0.02);
    }
  });

  it('has ground at its stand point, and only on its surface', { tags: ['slow'] }, async () => {
    for (const { id, stand, files } of plates) {
      const mask = await sharp(new URL(files.mask, FOLDER).pathname).removeAlpha().raw().toBuffer();
      const ground = readGround({ mask }).data;
      const at = Math.round(stand.y / 2) * MASK_SIZE + Math.round(stand.x / 2);
      let [inside, outside] = [0, 0];
      for (const [i, value] of ground.entries()) {
        if (value > 0.5 && mask[3 * i + 1]! > 127) inside += 1;
        else if (value > 0.5) outside += 1;
      }
      expect([id, ground[at]! > 0.9, outside < 0.1 * inside]).toEqual([id, true, true]);
    }
  });

  it('gets smaller with distance at eye level, and not from above', () => {
    const wide = ({ floor }: Plate, y: number) => project(floor, 0.05, y).x - project(floor, -0.05, y).x;
    for (const plate of plates) {
      const [near, far] = [wide(plate, 0), wide(plate, 0.3)];
      if (plate.view === 'eye') expect([plate.id, far < near]).toEqual([plate.id, true]);
      else expect(far).toBeCloseTo(near, 3);
    }
  });

  it('is lit from above, with shadows that block a part of the light', () => {
    for (const { light } of plates) {
      expect(Math.abs(light.azimuthDeg)).toBeLessThanOrEqual(180);
      expect(light.elevationDeg).toBeGreaterThan(0);
      expect(light.elevationDeg).toBeLessThan(90);
      for (const share of [light.softness, light.shadowStrength]) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThan(1);
      }
    }
  });

  it('states the visible colour wherever it can be replaced', () => {
    for (const { id, tint, seen } of plates) {
      if (tint.wall) expect([id, seen.wall]).toEqual([id, expect.stringMatching(HEX)]);
      if (tint.surface) expect([id, seen.surface ?? seen.wall]).toEqual([id, expect.stringMatching(HEX)]);
    }
  });

  it('is offered once, in its own words', () => {
    const offered = listPlates();
    expect(new Set(offered.map(({ id }) => id)).size).toBe(plates.length);
    expect(new Set(offered.map(({ says }) => says)).size).toBe(plates.length);
  });
});

describe('an unknown plate', () => {
  it('throws', () => {
    expect(() => getPlate('nowhere')).toThrow('no plate nowhere');
  });
});

describe('a default plate', () => {
  it('is a plain studio for each view, and only in its own view', () => {
    for (const view of ['eye', 'above'] as const) {
      const plate = getPlate(STANDARD_PLATES[view]);
      expect(plate.view).toBe(view);
      expect(isPlainStudio(plate)).toBe(true);
      expect(isPlainStudio({ ...plate, view: view === 'eye' ? 'above' : 'eye' })).toBe(false);
    }
  });
});

describe('the ranking of plates', () => {
  const rank = (prompt: string) => rankPlates(readBrief(prompt), 'eye');
  const scoreOf = (id: string, prompt: string) => rank(prompt).find((plate) => plate.id === id)?.score ?? 0;

  it('starts with the best, and contains plates of one view only', () => {
    for (const view of ['eye', 'above'] as const) {
      const ranked = rankPlates(readBrief('marble table'), view);
      expect(ranked.length).toBeGreaterThan(1);
      for (const [n, { id, score }] of ranked.entries()) {
        expect(getPlate(id).view).toBe(view);
        if (n > 0) expect(score).toBeLessThanOrEqual(ranked[n - 1]!.score);
      }
    }
  });

  it.each(['', 'xyzzy plugh', 'not marble', '1 2 3'])('is empty for "%s"', (prompt) => {
    expect(rank(prompt)).toEqual([]);
  });

  it('weighs two adjacent words more than each of them, in either order', () => {
    expect(rank('black marble')[0]?.id).toBe('black-marble');
    expect(rank('mármol negro')[0]?.id).toBe('black-marble');
    expect(scoreOf('black-marble', 'black marble')).toBeGreaterThan(scoreOf('black-marble', 'marble'));
  });

  it('weighs accessories, late words and exclusions less', () => {
    expect(scoreOf('beach-sand', 'rose, beach')).toBeGreaterThan(scoreOf('beach-sand', 'rose with beach'));
    expect(scoreOf('beach-sand', 'beach, kitchen, roses')).toBeGreaterThan(
      scoreOf('beach-sand', 'kitchen, roses, beach'),
    );
    expect(scoreOf('moss-stone', 'stone in a forest')).toBeGreaterThan(
      scoreOf('moss-stone', 'stone in a forest, no moss'),
    );
  });

  it('prefers a plain studio if only a colour is requested', () => {
    expect(rank('navy background')[0]?.id).toBe('studio-sweep');
    expect(scoreOf('studio-sweep', 'navy background')).toBeGreaterThan(scoreOf('studio-sweep', 'navy') + 1);
  });
});

describe('a mirrored plate', () => {
  const plate = getPlate('geometric-shapes');
  const mirrored = mirrorPlate(plate);

  it('has its stand point and light on the other side', () => {
    expect(mirrored.stand.x).toBe(PLATE_SIZE - plate.stand.x);
    expect(mirrored.stand.y).toBe(plate.stand.y);
    expect(mirrored.light.azimuthDeg).toBe(-plate.light.azimuthDeg);
  });

  it('mirrors every point of its floor', () => {
    for (const [x, y] of [
      [0, 0],
      [0.12, 0.05],
      [-0.2, 0.3],
      [0.07, -0.1],
    ] as const) {
      const slanted: Plate = { ...plate, floor: plate.floor.with(6, 0.2) as Plate['floor'] };
      for (const one of [plate, slanted]) {
        const [here, there] = [project(one.floor, x, y), project(mirrorPlate(one).floor, -x, y)];
        expect(there.x).toBeCloseTo(PLATE_SIZE - here.x, 6);
        expect(there.y).toBeCloseTo(here.y, 6);
      }
    }
  });

  it('mirrored again equals the plate', () => {
    const again = mirrorPlate(mirrored);
    for (const [n, value] of again.floor.entries()) expect(value).toBeCloseTo(plate.floor[n]!, 6);
    expect({ ...again, floor: plate.floor }).toEqual(plate);
  });
});

describe('the pictures of a plate', () => {
  it('are decoded once while they are among the last requested', async () => {
    const first = loadPlate(getPlate('studio-sweep'));
    expect(loadPlate(getPlate('studio-sweep'))).toBe(first);
    const [{ rgb, mask }] = await Promise.all([
      first,
      loadPlate(getPlate('zen')),
      loadPlate(getPlate('paper')),
      loadPlate(getPlate('dots')),
    ]);
    expect([rgb.length, mask.length]).toEqual([3 * PLATE_SIZE ** 2, 3 * MASK_SIZE ** 2]);
    expect(loadPlate(getPlate('dots'))).toBe(loadPlate(getPlate('dots')));
    const later = loadPlate(getPlate('studio-sweep'));
    expect(later).not.toBe(first);
    expect((await later).rgb.equals(rgb)).toBe(true);
  });

  it("mark a podium's top as ground, not its side or the floor below", async () => {
    for (const id of ['colour-podium', 'black-gold', 'terracotta-window']) {
      const [pictures, { stand }] = [await loadPlate(getPlate(id)), getPlate(id)];
      const ground = readGround(pictures);
      const at = (y: number) => ground.data[Math.round(y / 2) * MASK_SIZE + Math.round(stand.x / 2)];
      expect([id, at(stand.y)]).toEqual([id, 1]);
      expect([id, at(PLATE_SIZE - 10)]).toEqual([id, 0]);
      expect(pictures.mask[(MASK_SIZE * (MASK_SIZE - 5) + MASK_SIZE / 2) * 3 + 1]).toBe(255); // but surface
    }
  });

  it('mark the ground, mirrored for a mirrored plate', async () => {
    const plate = getPlate('geometric-shapes');
    const [own, mirrored] = [readGround(await loadPlate(plate)), readGround(await loadPlate(mirrorPlate(plate)))];
    const { x, y } = getPlate('geometric-shapes').stand;
    const [column, row] = [Math.round((x * MASK_SIZE) / PLATE_SIZE), Math.round((y * MASK_SIZE) / PLATE_SIZE)];
    expect(own.data[row * MASK_SIZE + column]).toBeGreaterThan(0.6);
    const isTurned = own.data.every((value, i) => {
      const at = i % MASK_SIZE;
      return mirrored.data[i - at + MASK_SIZE - 1 - at] === value;
    });
    expect(isTurned).toBe(true);
    expect(own.data.every((value) => value >= 0 && value <= 1)).toBe(true);
  });
});
