import { describe, expect, it } from 'vitest';
import { readBrief } from './brief.ts';
import { chooseScene } from './choose.ts';
import { frameScene } from './frame.ts';
import { getPlate, plateIds } from './plates.ts';
import { recipes } from './recipes.ts';

const chosen = (prompt: string, negative = '') => chooseScene(readBrief(prompt, negative), 0, 1).plate.id;

describe('what a prompt asks for', () => {
  it.each([
    ['sage green wall', '#a9b596', undefined],
    ['navy backdrop, white table', '#1f2c4f', '#f4f3f0'],
    ['pink roses on a table', undefined, undefined],
    ['a room with mustard walls', '#cf9d2c', undefined],
    ['a wooden table with coffee beans in front of a forest', undefined, undefined],
    ['on the sand', undefined, undefined],
    ['forest green wall, coffee table', '#2d5339', '#5a3d2b'],
    ['sand backdrop', '#d8c19a', undefined],
  ])('%s', (prompt, wall, surface) => {
    const brief = readBrief(prompt, '');
    expect([brief.wall, brief.surface]).toEqual([wall, surface]);
  });

  it('reads the side of the light', () => {
    expect(readBrief('soft light from the left', '').lightFrom).toBe('left');
    expect(readBrief('window on the right', '').lightFrom).toBe('right');
    expect(readBrief('marble', '').lightFrom).toBeUndefined();
  });

  it.each([
    ['Strand! beach at noon', 'beach-sand'],
    ['a cosy living-room', 'living-room'],
    ['navy background', 'studio-sweep'],
    ['', 'studio-sweep'],
    ['xyzzy plugh', 'studio-sweep'],
    ['underwater', 'painted-underwater'],
    ['Café terrace, espresso', 'cafe-wood'],
    ['wooden table at golden hour', 'morning-table'],
    ['golden hour', 'desert-dunes'],
    ['dramatic light', 'charcoal-window'],
    ['kitchen at night', 'kitchen-counter'],
    ['art deco bar', 'painted-artdeco'],
    ['theatre curtain', 'painted-curtain'],
    ['a shelf of books in an old library', 'painted-library'],
    ['japanese zen garden', 'painted-zen'],
    ['on a marble table, morning light', 'marble-podium'],
    ['a concrete block, warm afternoon light', 'concrete-loft'],
    ['stone table in a garden', 'mountain-rock'],
    ['dark wood table, candle light', 'cafe-wood'],
    ['oak table', 'morning-table'],
    ['tropical beach with palm leaves', 'beach-sand'],
    ['in the snow under pine trees', 'snow-winter'],
    ['luxury black marble with gold accents', 'black-marble'],
    ['with pumpkins', 'autumn-harvest'],
    ['coffee mug on marble', 'marble-podium'],
    ['water bottle on a desk', 'office-desk'],
    ['wine glass on a wooden table', 'morning-table'],
    ['soap in a spa', 'spa-counter'],
    ['wedding table with white flowers', 'valentine-rose'],
  ])('%s stands in %s', (prompt, id) => {
    expect(chosen(prompt)).toBe(id);
  });

  it.each(Object.keys(recipes))('the first words of a painted scene bring it: %s', (id) => {
    expect(chosen(recipes[id]!.words[0]!)).toBe(`painted-${id}`);
  });

  it('turns words about light into light', () => {
    const mood = (prompt: string) => readBrief(prompt, '').mood;
    expect(mood('marble')).toEqual({ exposure: 1, pool: 0 });
    expect(mood('dramatic marble').pool).toBeGreaterThan(0.5);
    expect(mood('airy marble').exposure).toBeGreaterThan(1);
    expect(mood('marble at night').exposure).toBeLessThan(0.7);
    expect(mood('marble at sunset').tint).toBe('#ffcf9c');
    expect(mood('marble, not dark').exposure).toBe(1);
  });

  it('does not bring what is not wanted', () => {
    expect(chosen('forest')).toBe('moss-stone');
    expect(chosen('stone, no forest, no moss')).not.toBe('moss-stone');
    expect(chosen('christmas', 'christmas')).not.toBe('christmas-fir');
  });
});

describe('the frame', () => {
  it('leaves at the border what the upload cut off there', () => {
    const upload = { width: 900, height: 1200 };
    const portrait = { width: 700, height: 1000, place: { left: 100, top: 200 } };
    const frame = frameScene(getPlate('cafe-wood'), upload, portrait, 3, false);
    expect([frame.width, frame.height]).toEqual([900, 1200]);
    expect(frame.productScale).toBe(1);
  });

  it.each([
    [1200, 1200, 500, 600],
    [4000, 3000, 1200, 1500],
    [900, 1600, 700, 1500],
    [64, 500, 40, 300],
  ])('of a %ix%i upload keeps its shape and never shows the product larger than it is', (width, height, w, h) => {
    for (const id of plateIds()) {
      const frame = frameScene(getPlate(id), { width, height }, { width: w, height: h }, 3, false);
      expect(Math.abs(frame.width / frame.height / (width / height) - 1)).toBeLessThan(0.03);
      expect(frame.productScale).toBeLessThanOrEqual(1);
      expect(Math.max(frame.width, frame.height)).toBeLessThanOrEqual(Math.min(2048, Math.max(width, height)));
      expect(frame.crop.x).toBeGreaterThanOrEqual(0);
      expect(frame.crop.y + frame.crop.height).toBeLessThanOrEqual(1536.01);
    }
  });
});
