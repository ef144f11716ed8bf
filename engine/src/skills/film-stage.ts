import { readMarks } from '../cutout/marks.ts';
import { refuseBlank } from '../pixels/blank.ts';
import { readPicture } from '../pixels/decode.ts';
import type { Size } from '../pixels/plane.ts';
import { placePicture } from '../video/placement.ts';
import { flattenPicture, trimFrame } from '../video/prepare.ts';
import { buildStage, type Stage } from '../video/stage.ts';
import { findSubject } from '../video/subject.ts';
import type { SkillRequest } from './skills.ts';

/** The photo set up for a film of `frame` pixels; finding the product in it takes `share` (0..1) of the whole work. */
export async function setUpStage(
  { input, pictures, matting, report }: SkillRequest,
  frame: Size,
  share: number,
): Promise<Stage> {
  await report(2, 'Reading the picture');
  const flat = await flattenPicture(await readPicture(pictures['image_url'] ?? '', 'image_url'));
  const marks = readMarks(input['marks']); // shares of the whole photo, black frame and all
  const picture = marks ? flat : await trimFrame(flat);
  refuseBlank(picture, 'image_url');
  const subject = await findSubject(picture, matting, (percent, message) => report(percent * share, message), marks);
  await report(100 * share, 'Setting up the scene');
  return buildStage(picture, subject, placePicture(picture, subject, frame), frame);
}
