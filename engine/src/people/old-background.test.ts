import { describe, expect, it } from 'vitest';
import { drawPlane, drawRgb, type Colour } from '../../test/draw.ts';
import { makeFace } from '../../test/face.ts';
import { dropOldBackground } from './old-background.ts';

const SIZE = { width: 200, height: 260 };
const FACE = makeFace({ left: 75, top: 80, width: 50, height: 70 });
const SKIN: Colour = [205, 150, 120];
const WALL: Colour = [30, 140, 130];
const GAP = { x: 51, y: 110 }; // beside the face, near the edge of the hair
const TIE = { x: 100, y: 220 }; // below the chin

const isHead = (x: number, y: number) => Math.hypot((x - 100) / 55, (y - 110) / 65) < 1 || (y > 165 && x > 30);
const isFace = (x: number, y: number) => Math.hypot((x - 100) / 25, (y - 115) / 35) < 1;
const isPatch = (x: number, y: number) => [GAP, TIE].some((at) => Math.hypot(x - at.x, y - at.y) < 6);

/** Hair around a face before a background that shows in a gap of the hair and has the tie's colour. */
function drop(hair: Colour, groundAt: (x: number, y: number) => Colour) {
  const picture = drawRgb(SIZE, (x, y) => {
    if (!isHead(x, y) || isPatch(x, y)) return groundAt(x, y);
    return isFace(x, y) ? SKIN : hair;
  });
  const alpha = drawPlane(SIZE, (x, y) => (isHead(x, y) ? 1 : 0));
  const person = drawPlane(SIZE, (x, y) => (isHead(x, y) && !isPatch(x, y) ? 1 : 0));
  const out = dropOldBackground(picture, alpha, FACE, { person, things: [alpha] });
  return ({ x, y }: { x: number; y: number }) => out.data[y * SIZE.width + x]!;
}

const BROWN: Colour = [80, 50, 35];
const HAIR = { x: 100, y: 60 };
const MAX_REMAINING = 0.15; // of alpha: deeper in the hair more remains

describe('background remains in a cut-out head', () => {
  it('are removed between hair, but not below the chin', () => {
    const at = drop(BROWN, () => WALL);
    expect(at(GAP)).toBeLessThan(MAX_REMAINING);
    expect(at(TIE)).toBe(1);
    for (const place of [HAIR, { x: 100, y: 115 }]) expect(at(place)).toBe(1);
  });

  it('are removed also if the background darkens to one side', () => {
    const at = drop(BROWN, (x) => [30 + 0.3 * x, 120 + 0.3 * x, 110 + 0.3 * x]);
    expect(at(GAP)).toBeLessThan(MAX_REMAINING);
    expect(at(HAIR)).toBe(1);
  });

  it('are kept if hair has the same colours', () => {
    expect(drop([22, 20, 20], () => [14, 13, 14])(HAIR)).toBe(1);
  });

  it('of a pattern are removed where hair has other colours', () => {
    const isWhite = (x: number) => (x >> 2) % 2 === 0;
    const at = drop(BROWN, (x) => (isWhite(x) ? [240, 240, 240] : BROWN));
    const across = [...Array(6).keys()].map((n) => ({ x: GAP.x - 5 + n, y: GAP.y }));
    for (const place of across) {
      if (!isPatch(place.x, place.y)) continue;
      if (isWhite(place.x)) expect(at(place)).toBeLessThan(MAX_REMAINING);
      else expect(at(place)).toBeGreaterThan(0.9);
    }
    expect(at(HAIR)).toBe(1);
  });
});
