import { describe, expect, it } from 'vitest';
import { makeWearer, PERSON, ROOM, SKIN, WALL } from '../../test/clothes.ts';
import { drawMask, fillWith, type Colour } from '../../test/draw.ts';
import { makePlane } from '../pixels/plane.ts';
import { findObstacle, isTurnedAway } from './wearable-person.ts';

const wearer = makeWearer();
const { pose } = wearer;

describe('a pose', () => {
  it('from the front is none of somebody who turns away', () => {
    expect(isTurnedAway(pose)).toBe(false);
  });

  it.each([
    ['whose head is turned', { face: { ...pose.face, yawDeg: -40 } }],
    ['whose shoulders lie behind one another', { shoulderWidth: 1.7 * pose.face.box.width }],
    ['whose nose is over a shoulder', { face: { ...pose.face, box: { ...pose.face.box, left: 105 } } }],
  ])('of somebody %s is', (_, changes) => {
    expect(isTurnedAway({ ...pose, ...changes })).toBe(true);
  });
});

/** A box of something in front of the person. */
function hold(colour: Colour, { wide, from, to }: { wide: number; from: number; to: number }) {
  const thing = drawMask(ROOM, (x, y) => Math.abs(x - PERSON.middle) < wide && y > from && y < to);
  return { ...wearer, picture: fillWith(wearer.picture, thing, colour) };
}

describe('what stands in the way of a garment', () => {
  it('is nothing where somebody stands freely before a plain wall', () => {
    expect(findObstacle(wearer)).toBeUndefined();
  });

  it('are clothes much wider than the shoulders', () => {
    expect(findObstacle({ ...wearer, chest: 1.4 * pose.shoulderWidth })).toBe('bulky');
    expect(findObstacle({ ...wearer, chest: 1.3 * pose.shoulderWidth })).not.toBe('bulky');
  });

  it('are arms close to the body, a hand before it, and skin where clothes should be', () => {
    expect(findObstacle({ ...wearer, hasFreeArms: false })).toBe('arms');
    const leftWrist = { x: PERSON.middle + 5, y: 120, score: 1 };
    expect(findObstacle({ ...wearer, pose: { ...pose, joints: { ...pose.joints, leftWrist } } })).toBe('arms');
    expect(findObstacle(hold(SKIN, { wide: 30, from: 110, to: 125 }))).toBe('arms');
  });

  it('is a bag before the belly, in another colour than the chest', () => {
    expect(findObstacle(hold([150, 110, 30], { wide: 32, from: 105, to: 170 }))).toBe('arms');
    expect(findObstacle(hold([230, 230, 40], { wide: 9, from: 100, to: 112 }))).toBeUndefined();
  });

  it('are clothes in the colour of the wall', () => {
    const pale = {
      ...wearer,
      picture: fillWith(
        wearer.picture,
        drawMask(ROOM, (x, y) => wearer.top.data[y * ROOM.width + x]! > 0.5),
        WALL,
      ),
    };
    expect(findObstacle({ ...pale, skin: wearer.skin })).toBe('like the wall');
  });

  it('is nothing where nothing of the body is seen, or nothing of the wall', () => {
    expect(findObstacle({ ...wearer, figure: makePlane(ROOM) })).toBeUndefined();
    const whole = { ...wearer.figure, data: wearer.figure.data.map(() => 1) };
    expect(findObstacle({ ...wearer, figure: whole })).toBeUndefined();
  });
});
