import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawRgb } from '../../test/draw.ts';
import { BLIND, makeMatting, makeRequest, savePicture } from '../../test/skill.ts';
import type { FilmPlan } from '../video/film.ts';
import { boxAt } from '../video/pose.ts';
import { planLoop } from './basic-video.ts';
import type { Input } from './fields.ts';
import { planFilm } from './premium-video.ts';

/** All that is decided before the first frame of a film is drawn. */

const isCup = (x: number, y: number) => x > 0.35 && x < 0.65 && y > 0.3 && y < 0.8;
let folder: string;
let wide: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-plans-'));
  const size = { width: 160, height: 100 };
  wide = await savePicture(
    folder,
    'wide',
    drawRgb(size, (x, y) => (isCup(x / 160, y / 100) ? [180, 40, 30] : [200 + (x % 5), 210, 220])),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const request = (input: Input, told: number[] = [], matting = BLIND) =>
  makeRequest(folder, { input, pictures: { image_url: wide }, matting }, told);

/** Whether the product is in the frame in every pose. */
function isWhole({ stage, script }: FilmPlan): boolean {
  return script.poses.every((pose) => {
    const box = boxAt(stage, pose);
    return !!box && box.left >= 0 && box.top >= 0 && box.right <= stage.frame.width && box.bottom <= stage.frame.height;
  });
}

describe('a loop', () => {
  it('is four seconds of the centre square, and told of up to the filming', async () => {
    const told: number[] = [];
    const plan = await planLoop(
      request(
        {},
        told,
        makeMatting(() => false),
      ),
    );
    expect(plan.stage.frame).toEqual({ width: 768, height: 768 });
    expect([plan.fps, plan.script.poses.length, plan.script.effects.length]).toEqual([24, 96, 0]);
    // of the centre square the red cup takes nearly half the width
    const { backdrop, margin } = plan.stage;
    const row = backdrop.y.subarray((margin.y + 384) * backdrop.width + margin.x).subarray(0, 768);
    expect(Math.abs(row.filter((value) => value < 100).length / 768 - 0.48)).toBeLessThan(0.02);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
    expect(told.at(-1)).toBeLessThan(40);
  });
});

describe('a directed film', () => {
  it('has the asked-for shape and length, does what the words say, and says what it does', async () => {
    const input = { aspect_ratio: '9:16', resolution: '480p', duration: '7' };
    const plan = await planFilm(request({ ...input, prompt: 'turn left, snow, someone drinks' }));
    expect(plan.stage.frame).toEqual({ width: 486, height: 864 });
    expect([plan.fps, plan.script.poses.length, plan.script.effects.length]).toEqual([30, 210, 1]);
    expect(plan.words).toMatchObject({ understood: ['snow'], notDrawn: ['turn left', 'someone drinks'] });
    expect(plan.stage.product).toBeUndefined();
    expect(plan.script.poses.every(({ yaw }) => yaw === 0)).toBe(true); // nothing is known that could turn
  });

  it('turns a product that it knows, and keeps it whole', async () => {
    const input = { prompt: 'turn left', aspect_ratio: '1:1', resolution: '480p', duration: '4' };
    const plan = await planFilm(request(input, [], makeMatting(isCup)));
    expect(plan.script.poses.at(-1)!.yaw).toBeLessThan(-0.2);
    expect(plan.words).toMatchObject({ understood: ['turn left'], notDrawn: [] });
    expect(isWhole(plan)).toBe(true);
  });

  it('holds the camera still where the sender wants that more than the words', async () => {
    const input = {
      prompt: 'pan left, snow',
      camera_fixed: true,
      aspect_ratio: '1:1',
      resolution: '480p',
      duration: '4',
    };
    const plan = await planFilm(request(input));
    expect(plan.script.poses.every(({ turnX, x }) => turnX === 0 && x === 0)).toBe(true);
    expect(plan.words).toMatchObject({ understood: ['snow'], notDrawn: ['pan left'] });
  });
});
