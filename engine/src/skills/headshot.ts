import sharp from 'sharp';
import { log } from '../log.ts';
import { swapFace, type Person } from '../people/face-swap.ts';
import { getOnlyFace, refuseOtherTurn } from '../people/refusals.ts';
import { swapHead } from '../people/user-hair.ts';
import { putWindow } from '../people/windows.ts';
import { decodePicture, type Picture } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import type { Run } from './skills.ts';

const USER = 'face_image_0';
const PORTRAIT = 'target_image';
const SMALL_FACE = 200; // pixels: below, a result at twice the size shows the face better

/**
 * The user's face on a stock portrait: a PNG of the portrait's size (twice that where the portrait's face is small and `upscale` is not
 * false). `gender_0` is accepted for the wire's sake; the pictures say all that is needed.
 */
export const run: Run = async ({ input, pictures, folder, report }) => {
  await report(5, 'Reading the pictures');
  const userPicture = await decodePicture(pictures[USER] ?? '', USER);
  const portraitPicture = await decodePicture(pictures[PORTRAIT] ?? '', PORTRAIT);
  await report(15, 'Finding the faces');
  const user = { picture: userPicture, face: await getOnlyFace(userPicture, USER) };
  const portrait = { picture: portraitPicture, face: await getOnlyFace(portraitPicture, PORTRAIT) };
  refuseOtherTurn(user.face, portrait.face, USER);
  await report(35, 'Matching pose, skin and light');
  const headshot = await makeHeadshot(portrait, user, input['workflow_type'] !== 'target_hair');
  await report(85, 'Saving');
  const wantsLarge = input['upscale'] !== false && portrait.face.box.width < SMALL_FACE;
  const shown = wantsLarge ? await enlarge(headshot) : headshot;
  const raw = { data: shown.rgb, width: shown.width, height: shown.height, channels: 3 as const };
  return { image: await savePng(folder, 'headshot.png', raw) };
};

/** Where the user's own hair cannot be put on this portrait, the portrait's hair stays, and the log says why. */
async function makeHeadshot(portrait: Person, user: Person, wantsOwnHair: boolean): Promise<Picture> {
  const head = wantsOwnHair ? await swapHead(portrait, user) : undefined;
  if (typeof head === 'string') log('own_hair_left_out', { reason: head });
  const swapped = head === undefined || typeof head === 'string' ? await swapFace(portrait, user) : head;
  return putWindow(portrait.picture, swapped.window, swapped.rgb);
}

async function enlarge({ rgb, width, height }: Picture): Promise<Picture> {
  const raw = { raw: { width, height, channels: 3 as const } };
  const doubled = sharp(rgb, raw).resize(2 * width, 2 * height, { fit: 'fill', kernel: 'lanczos3' });
  const sharpened = await doubled.sharpen({ sigma: 1, m1: 0.5, m2: 1.5 }).raw().toBuffer();
  return { rgb: sharpened, width: 2 * width, height: 2 * height };
}
