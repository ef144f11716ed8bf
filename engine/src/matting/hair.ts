// Hair that a skeleton knows nothing of: what has the crown's colours and not the room's, as far as it holds together.
import type { Box } from '../people/faces.ts';
import type { Picture } from '../pixels/decode.ts';
import type { LabPlanes } from '../pixels/lab.ts';
import { boxBlur } from '../pixels/planes.ts';
import { clusterColours, distanceToClusters } from './background.ts';
import { grabCut, SEED } from './grabcut.ts';
import { close, dilate, findRegions, open } from './regions.ts';

/** In widths and heights of the face's box, from its middle: how far hair may reach. */
const REACH = { side: 1.15, up: 1.25, down: 2.4 };
const ROOM = 2; // and how far beyond, in widths and heights of the face, the room is looked at
/** Where hair is if there is any, above the box. */
const CROWN = { side: 0.28, from: 0.08, to: 0.24 };
const LEAST_CROWN = 30; // px
const CROWN_COLOURS = 3; // in and out of the light, skin
const ROOM_COLOURS = 12;
const UNLIKE_ROOM = 7; // Lab units
const MUCH_NEARER = 0.5; // to the crown than to the room
const ROUNDS = 2;

/** The 0/1 figure with its hair; the figure itself where crown and room cannot be told apart. */
export function addHair(picture: Picture, lab: LabPlanes, figure: Uint8Array, face: Box): Uint8Array {
  const { width, height } = picture;
  const { zone, crown, room } = lookAround(figure, face, width, height);
  if (crown.length < LEAST_CROWN) return figure;
  const calm = {
    l: boxBlur(lab.l, width, height, 1),
    a: boxBlur(lab.a, width, height, 1),
    b: boxBlur(lab.b, width, height, 1),
  };
  const own = clusterColours(calm, crown, CROWN_COLOURS);
  const others = clusterColours(calm, room, ROOM_COLOURS);
  const seeds = zone.map((isNear, i) => {
    if (figure[i]) return SEED.foreground;
    if (!isNear) return SEED.background;
    const unlike = distanceToClusters(calm, i, others);
    const isHair = unlike > UNLIKE_ROOM && distanceToClusters(calm, i, own) < MUCH_NEARER * unlike;
    return isHair ? SEED.probablyForeground : SEED.probablyBackground;
  });
  const grown = grabCut(picture, seeds, ROUNDS);
  const solid = close(open(grown, width, height, 1.5), width, height, 2).map((value, i) => value & zone[i]!);
  const out = figure.slice();
  const isCrown = new Set(crown);
  for (const { pixels } of findRegions(solid, width, height)) {
    if (pixels.some((i) => isCrown.has(i))) for (const i of pixels) out[i] = 1;
  }
  return close(out, width, height, 2);
}

interface Surroundings {
  /** Where hair may be. */
  zone: Uint8Array;
  crown: number[];
  /** Surely neither person nor hair. */
  room: number[];
}

function lookAround(figure: Uint8Array, face: Box, width: number, height: number): Surroundings {
  const [middle, level] = [face.left + face.width / 2, face.top + face.height / 2];
  const person = dilate(figure, width, height, 3);
  const zone = new Uint8Array(figure.length);
  const [crown, room]: [number[], number[]] = [[], []];
  for (let i = 0; i < figure.length; i += 1) {
    const across = Math.abs((i % width) - middle) / face.width;
    const down = (Math.floor(i / width) - level) / face.height;
    const above = -down - 0.5;
    const reach = down < 0 ? REACH.up : REACH.down;
    if (across < CROWN.side && above > CROWN.from && above < CROWN.to) crown.push(i);
    if ((across / REACH.side) ** 2 + (down / reach) ** 2 < 1) zone[i] = 1;
    else if (!person[i] && across < REACH.side + ROOM && above < REACH.up + ROOM && down < reach) room.push(i);
  }
  return { zone, crown, room };
}
