import { describe, expect, it, vi } from 'vitest';
import { findFaces } from '../src/people/faces.ts';
import { findJoints } from '../src/people/bodies.ts';
import { readPicture } from '../src/pixels/decode.ts';
import {
  findSwapFaults,
  measureFigure,
  measureSwap,
  PEOPLE,
  portraitPath,
  readPerson,
  samplePath,
  type SwapRow,
} from './people.ts';

vi.setConfig({ testTimeout: 150_000 }); // everything at once on two shared cores

describe('finding people', () => {
  it('finds one face with its landmarks in every portrait, and none on a mug', async () => {
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      const faces = await findFaces(await readPicture(portraitPath(number), 'target_image'));
      expect(faces).toHaveLength(1);
      expect(faces[0]?.points).toHaveLength(468);
      expect(Math.abs(faces[0]?.yawDeg ?? 90)).toBeLessThan(8);
    }
    expect(await findFaces(await readPicture(samplePath('mug'), 'target_image'))).toEqual([]);
  });

  it('finds shoulders left and right of the middle, above the hips', async () => {
    const joints = await findJoints(await readPicture(samplePath('person-tom'), 'model_image'));
    const { leftShoulder, rightShoulder, leftHip } = joints ?? {};
    expect(leftShoulder?.x).toBeGreaterThan(450);
    expect(rightShoulder?.x).toBeLessThan(450);
    expect(leftHip?.y).toBeGreaterThan(leftShoulder?.y ?? Infinity);
  });

  it('cuts the person out of a plain wall, hair included', async () => {
    for (const person of PEOPLE) expect(await measureFigure(person), person).toBeGreaterThan(0.95);
  });
});

const GOOD: SwapRow = {
  name: 'good',
  outlineError: 0.01,
  seamRatio: 1,
  skinStep: 0.2,
  changedOutside: 0,
  likenessToUser: 0.9,
  likenessToPortrait: 0.6,
};

describe('headshot', () => {
  const rows: SwapRow[] = [];

  it('puts the user on the portrait without a seam, and more alike to the user than to the portrait', async () => {
    const portraits = await Promise.all([2, 3, 7].map(async (number) => readPerson(portraitPath(number))));
    for (const person of PEOPLE) {
      const user = await readPerson(samplePath(`face-${person}`));
      for (const [n, portrait] of portraits.entries()) rows.push(await measureSwap(`${person} ${n}`, portrait, user));
    }
    console.table(rows);
    expect(findSwapFaults(rows)).toEqual([]);
  });

  it('would notice a seam, a changed background and a face that is still the portrait', () => {
    expect(findSwapFaults([{ ...GOOD, seamRatio: 1.4 }])).toHaveLength(1);
    expect(findSwapFaults([{ ...GOOD, changedOutside: 3 }])).toHaveLength(1);
    expect(findSwapFaults([{ ...GOOD, likenessToUser: 0.4, likenessToPortrait: 0.5 }])).toHaveLength(1);
  });
});
