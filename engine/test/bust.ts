/** A drawn head with shoulders before a plain wall: face, hair and clothes are ellipses of known size. */
import type { Face } from '../src/people/faces.ts';
import { OVAL } from '../src/people/landmarks.ts';
import type { Box, Rgb, Size } from '../src/pixels/plane.ts';
import { fillPolygon } from '../src/pixels/mask.ts';
import { drawMask, fillWith, type Colour } from './draw.ts';
import { drawFace, makeFace, PLAIN_FACE, type FaceColours } from './face.ts';

export const BUST = { width: 200, height: 260 };
export const FACE: Box = { left: 70, top: 75, width: 60, height: 80 };
export const CLOTHES: Colour = [40, 60, 110];
export const HAIR: Colour = [60, 40, 30];

export type BustShape = {
  size?: Size;
  face?: Box;
  colours?: Partial<FaceColours>;
  clothes?: Colour;
  /** No hair if undefined. */
  hair?: Colour | undefined;
  /** Length of the hair below the chin in face heights; below 0 it ends above the ears. */
  hangs?: number;
  /** True if long hair falls beside the neck, not over it. */
  showsNeck?: boolean;
};

/** Draws a frontal face and returns it with its landmarks. */
export function makeBust(shape: BustShape = {}): { picture: Rgb; face: Face } {
  const { size = BUST, face: box = FACE, colours = {}, clothes = CLOTHES, hair = HAIR, hangs = -0.5 } = shape;
  const { showsNeck = false } = shape;
  const face = makeFace(box);
  const middle = box.left + box.width / 2;
  const chin = box.top + box.height;
  const { wall, skin } = { ...PLAIN_FACE, ...colours };
  const at = (x: number, y: number) => ({ across: (x - middle) / box.width, down: (y - box.top) / box.height });
  const isShoulders = (x: number, y: number) =>
    y > chin + 0.25 * box.height &&
    Math.hypot((x - middle) / (1.3 * box.width), (y - size.height) / (size.height - chin - 0.2 * box.height)) < 1;
  const isNeck = (x: number, y: number) => Math.abs(at(x, y).across) < 0.28 && y > chin - 0.2 * box.height;
  const isHair = (x: number, y: number) => {
    const { across, down } = at(x, y);
    const isCrown = down < 0.3 && Math.hypot(across / 0.68, (down - 0.3) / 0.56) < 1;
    const isBeside = Math.abs(across) < 0.68 && !(showsNeck && down > 1 && Math.abs(across) < 0.28);
    const isStrand = isBeside && down >= 0.3 && down < 1 + hangs;
    return isCrown || isStrand;
  };
  const layers: [Colour | undefined, (x: number, y: number) => boolean][] = [
    [skin, isNeck],
    [clothes, isShoulders],
    [shape.hair === undefined && 'hair' in shape ? undefined : hair, isHair],
  ];
  const outline = fillPolygon(
    OVAL.map((landmark) => face.points[landmark]!),
    size,
  );
  const behind = layers.reduce<Rgb>(
    (picture, [colour, isInside]) => (colour ? fillWith(picture, drawMask(size, isInside), colour) : picture),
    drawFace(size, face, { ...colours, wall }),
  );
  const front = drawFace(size, face, colours);
  const data = behind.data.map((byte, n) => (outline.data[Math.floor(n / 3)] ? front.data[n]! : byte));
  return { face, picture: { ...size, data } };
}
