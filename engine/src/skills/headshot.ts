import { log } from '../log.ts';
import { enlargeHeadshot, measureEnlargement } from '../people/enlarge.ts';
import { swapFace, type Person } from '../people/face-swap.ts';
import { tintSkin } from '../people/tone.ts';
import { getOnlyFace, refuseHiddenFace, refuseOtherTurn } from '../people/refusals.ts';
import { swapHead } from '../people/user-hair.ts';
import { pasteCrop } from '../people/crops.ts';
import { readPicture, shrinkRgb } from '../pixels/decode.ts';
import { savePng } from '../pixels/encode.ts';
import type { Rgb } from '../pixels/plane.ts';
import { FieldProblem } from '../problem.ts';
import type { Run } from './skills.ts';

const USER = 'face_image_0';
const PORTRAIT = 'target_image';
const MOST_PORTRAIT = 1440; // pixels of the longer side: larger portraits take time and show no more

/**
 * The user's face on a stock portrait: a PNG of the portrait's shape, its shorter side at least 1152 pixels (or twice
 * the portrait's) unless `upscale` is false. `gender_0` is accepted for the wire's sake; the pictures say all that is
 * needed.
 */
export const run: Run = async ({ input, pictures, folder, report }) => {
  await report(5, 'Reading the pictures');
  const userPicture = await readPicture(pictures[USER] ?? '', USER);
  const portraitPicture = await shrinkRgb(await readPicture(pictures[PORTRAIT] ?? '', PORTRAIT), MOST_PORTRAIT);
  await report(15, 'Finding the faces');
  const user = { picture: userPicture, face: await getOnlyFace(userPicture, USER) };
  const portrait = { picture: portraitPicture, face: await getOnlyFace(portraitPicture, PORTRAIT) };
  await refuseHiddenFace(userPicture, user.face, USER);
  refuseOtherTurn(user.face, portrait.face, USER);
  await report(35, 'Matching pose, skin and light');
  const tinted = await tintSkin(portrait, user);
  if (!tinted) throw new FieldProblem(PORTRAIT, 'no_media_generated', OTHER_SKIN);
  const wantsOwnHair = input['workflow_type'] !== 'target_hair';
  const headshot = await makeHeadshot(tinted, user, wantsOwnHair, input['upscale'] !== false);
  await report(85, 'Saving');
  return { image: await savePng(folder, 'headshot.png', { ...headshot, channels: 3 }) };
};

/** Where the photo does not show all of the user's hair, the portrait's hair stays, and the log says why. */
async function makeHeadshot(portrait: Person, user: Person, wantsOwnHair: boolean, isLarge: boolean): Promise<Rgb> {
  const head = wantsOwnHair ? await swapHead(portrait, user) : undefined;
  if (head === 'the portrait has long hair') throw new FieldProblem(PORTRAIT, 'no_media_generated', LONG_HAIR);
  if (typeof head === 'string') log('own_hair_left_out', { reason: head });
  const swapped = head === undefined || typeof head === 'string' ? await swapFace(portrait, user) : head;
  const headshot = pasteCrop(portrait.picture, swapped.crop, swapped.rgb);
  return isLarge ? enlargeHeadshot(headshot, measureEnlargement(headshot), user, swapped) : headshot;
}

const OTHER_SKIN = 'The skin of this portrait is much darker than yours. Choose a portrait nearer to your own skin.';
const LONG_HAIR =
  "This portrait's long hair would show beside yours. Choose a portrait with short hair, or keep the portrait's hair.";
