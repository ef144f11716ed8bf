/** A synthetic face with the mesh's 468 landmarks: an oval with eyes, brows, lips and nose. */
import type { Face } from '../src/people/faces.ts';
import { INNER_FACE, LEFT_BROW, LEFT_EYE, LIPS, OVAL, RIGHT_BROW, RIGHT_EYE } from '../src/people/landmarks.ts';
import type { Box, Point, Rgb, Size } from '../src/pixels/plane.ts';
import { fillPolygon } from '../src/pixels/mask.ts';
import { drawRgb, fillWith, type Colour } from './draw.ts';

const LANDMARKS = 468;
export const NOSE = 4; // MediaPipe's index of the tip
const INNER_UPPER = 8; // entries of INNER_FACE on the brows: seven at its start and one at its end

/** Makes a frontal face that fills the box. */
export function makeFace(box: Box): Face {
  return { box, score: 1, points: placeLandmarks(box), yawDeg: 0 };
}

function placeLandmarks({ left, top, width, height }: Box): Point[] {
  const at = (across: number, down: number) => ({ x: left + width * (0.5 + across), y: top + height * (0.5 + down) });
  const around = (n: number, count: number, reach: number, begin = 0) => {
    const angle = begin + (2 * Math.PI * n) / count;
    return { across: reach * Math.sin(angle), down: -reach * Math.cos(angle) };
  };
  // unnamed landmarks, spread over the centre
  const points = Array.from({ length: LANDMARKS }, (_, n) => {
    const { across, down } = around(n * 0.381966, 1, 0.3 * Math.sqrt(n / LANDMARKS));
    return at(across, down);
  });
  const put = (landmarks: readonly number[], place: (n: number) => Point) => {
    for (const [n, landmark] of landmarks.entries()) points[landmark] = place(n);
  };
  put(OVAL, (n) => {
    const { across, down } = around(n, OVAL.length, 0.5);
    return at(across, down);
  });
  put(INNER_FACE.slice(7, -1), (n) => {
    const angle = 0.6 * Math.PI + (0.8 * Math.PI * n) / (INNER_FACE.length - INNER_UPPER - 1);
    return at(0.38 * Math.sin(angle) * 1.05, -0.38 * Math.cos(angle));
  });
  for (const [brow, side] of [
    [RIGHT_BROW, -1],
    [LEFT_BROW, 1],
  ] as const) {
    put(brow, (n) => (n < 5 ? at(side * (0.34 - 0.06 * n), -0.21) : at(side * (0.1 + 0.06 * (n - 5)), -0.18)));
  }
  for (const [eye, side] of [
    [RIGHT_EYE, -1],
    [LEFT_EYE, 1],
  ] as const) {
    put(eye, (n) => {
      const { across, down } = around(n, eye.length, 1, side * 0.5 * Math.PI);
      return at(side * 0.2 + 0.08 * across, -0.1 + 0.03 * down);
    });
  }
  put(LIPS, (n) => {
    const { across, down } = around(n, LIPS.length, 1, -0.5 * Math.PI);
    return at(0.14 * across, 0.24 + 0.045 * down);
  });
  points[NOSE] = at(0, 0.05);
  return points;
}

/** Colours of a face's parts and of the wall behind it. */
export type FaceColours = { wall: Colour; skin: Colour; eyes: Colour; brows: Colour; lips: Colour };

export const PLAIN_FACE: FaceColours = {
  wall: [70, 110, 150],
  skin: [205, 150, 125],
  eyes: [235, 235, 235],
  brows: [70, 45, 35],
  lips: [170, 85, 90],
};

/** Draws the face before a plain wall, each part in one colour. */
export function drawFace(size: Size, { points }: Face, colours: Partial<FaceColours> = {}): Rgb {
  const { wall, skin, eyes, brows, lips } = { ...PLAIN_FACE, ...colours };
  const parts = [
    [skin, OVAL],
    [brows, LEFT_BROW],
    [brows, RIGHT_BROW],
    [eyes, LEFT_EYE],
    [eyes, RIGHT_EYE],
    [lips, LIPS],
  ] as const;
  const outline = (part: readonly number[]) => part.map((landmark) => points[landmark]!);
  return parts.reduce(
    (picture, [colour, part]) => fillWith(picture, fillPolygon(outline(part), size), colour),
    drawRgb(size, () => wall),
  );
}
