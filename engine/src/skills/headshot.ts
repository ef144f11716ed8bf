import sharp from 'sharp';
import { separateLayers } from '../cutout/foreground.ts';
import { growAlpha, paintProduct } from '../cutout/full-size.ts';
import { UnclearProduct } from '../cutout/matting.ts';
import { ownMatting } from '../cutout/own-matting.ts';
import { findBust } from '../people/bust.ts';
import { findFaces, moveFace, type Face } from '../people/faces.ts';
import { chooseFrame, showsBelow } from '../people/frame.ts';
import { getOnlyFace } from '../people/refusals.ts';
import { makeStudio } from '../people/studio.ts';
import { layOnWhite, readPicture, shrinkRgb } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import { clampBox, cutRgb, type Box, type Plane, type Point, type Rgb, type Size } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import type { Run } from './skills.ts';

const WORK_SIDE = 900; // pixels: edges are refined at this size
const MAX_CUT = 2600; // pixels of head and shoulders: more than a print needs
const PRINT_WIDTH = 1152; // pixels: ten centimetres
const MAX_ENLARGED = 2; // times the photo's own pixels: beyond it a face looks soft
const AROUND = { above: 1.6, aside: 2.6, below: 3.2 }; // face sizes: the most that a frame can show, with a margin

/**
 * Places head and shoulders of the user's photo, unchanged, in the studio of a stock portrait, in its shape. The PNG
 * enlarges the photo's own pixels at most twice.
 */
export const run: Run = async ({ pictures, folder, report }) => {
  await report(5);
  const whole = layOnWhite(await readPicture(pictures['face_image_0'] ?? ''));
  const portrait = layOnWhite(await readPicture(pictures['target_image'] ?? ''));
  await report(15);
  const { picture, face } = await cutAround(whole, await getOnlyFace(whole));
  if (!showsBelow(face, picture)) throw new Refusal(TOO_CLOSE);
  await report(35);
  const small = await shrinkRgb(picture, WORK_SIDE);
  const scale = small.width / picture.width;
  const smallFace = moveFace(face, ({ x, y }) => ({ x: x * scale, y: y * scale }));
  const alpha = await findOrRefuse(small, smallFace);
  const frame = chooseFrame(smallFace, alpha, portrait);
  if (!frame) throw new Refusal(TOO_CLOSE);
  await report(65);
  const width = Math.round(Math.min(PRINT_WIDTH, (MAX_ENLARGED * frame.width * picture.width) / small.width));
  const size = { width, height: Math.round((width * portrait.height) / portrait.width) };
  const data = await compose(picture, alpha, small, frame, await makeStudio(portrait, size));
  if ((await findFaces({ ...size, data })).length === 0) throw new Refusal(HIDDEN);
  await report(90);
  return { file: await savePng(folder, 'headshot.png', { ...size, data }) };
};

const TOO_CLOSE = 'The photo is cut too close. Use a photo that shows the whole head with the shoulders.';
const HIDDEN =
  'The face is partly hidden. Use a photo in which the whole face can be seen, with no hair or hand over it.';
const UNCLEAR = 'We could not tell the head from its background. Use a photo before a calm background, in even light.';

/** The part of the photo that a headshot can show, and the face in its pixels. */
async function cutAround(whole: Rgb, face: Face): Promise<{ picture: Rgb; face: Face }> {
  const { left, top, width, height } = face.box;
  const bust = {
    left: left + (0.5 - AROUND.aside) * width,
    top: top - AROUND.above * height,
    width: 2 * AROUND.aside * width,
    height: (AROUND.above + 1 + AROUND.below) * height,
  };
  const cut = clampBox(bust, whole);
  const picture = await shrinkRgb(cutRgb(whole, cut), MAX_CUT);
  const scale = picture.width / cut.width;
  const move = ({ x, y }: Point) => ({ x: (x - cut.left) * scale, y: (y - cut.top) * scale });
  return { picture, face: moveFace(face, move) };
}

async function findOrRefuse(picture: Rgb, face: Face): Promise<Plane> {
  try {
    return await findBust(picture, face, ownMatting);
  } catch (error) {
    if (!(error instanceof UnclearProduct)) throw error;
    throw new Refusal(UNCLEAR, { cause: error });
  }
}

/** @param frame in pixels of `small` */
async function compose(picture: Rgb, alpha: Plane, small: Rgb, frame: Box, background: Rgb): Promise<Uint8Array> {
  const layers = separateLayers(small, alpha);
  const full = growAlpha(picture, alpha, small);
  const data = paintProduct(picture, full, layers.front, small, { hasBackground: true });
  const bust = await placeInFrame({ ...picture, data }, full, scaleBox(frame, picture.width / small.width), background);
  const { width, height } = background;
  return sharp(background.data, { raw: { width, height, channels: 3 } })
    .composite([{ input: bust, raw: { width, height, channels: 4 } }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

function scaleBox({ left, top, width, height }: Box, scale: number): Box {
  return { left: left * scale, top: top * scale, width: width * scale, height: height * scale };
}

/** The cut-out within the frame, at `size`; transparent where the frame extends beyond the photo. */
async function placeInFrame(picture: Rgb, alpha: Uint8Array, frame: Box, { width, height }: Size): Promise<Buffer> {
  const [left, top] = [Math.round(frame.left), Math.round(frame.top)];
  const [wide, tall] = [Math.max(2, Math.round(frame.width)), Math.max(2, Math.round(frame.height))];
  const inFrame = new Uint8Array(4 * wide * tall);
  for (let y = Math.max(0, top); y < Math.min(picture.height, top + tall); y += 1) {
    for (let x = Math.max(0, left); x < Math.min(picture.width, left + wide); x += 1) {
      const from = y * picture.width + x;
      const to = 4 * ((y - top) * wide + x - left);
      for (let c = 0; c < 3; c += 1) inFrame[to + c] = picture.data[3 * from + c]!;
      inFrame[to + 3] = alpha[from]!;
    }
  }
  return sharp(inFrame, { raw: { width: wide, height: tall, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
}
