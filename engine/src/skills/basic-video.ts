import { readMarks } from '../cutout/marks.ts';
import { refuseBlank } from '../pixels/blank.ts';
import { readPicture } from '../pixels/decode.ts';
import { directLoop } from '../video/director.ts';
import { makeFilm, type FilmPlan } from '../video/film.ts';
import { placePicture } from '../video/placement.ts';
import { flattenPicture, trimFrame } from '../video/prepare.ts';
import { buildStage } from '../video/stage.ts';
import { findSubject } from '../video/subject.ts';
import type { Run, SkillRequest } from './skills.ts';

const SIDE = 768;
const FPS = 24;
const SECONDS = 4;

/**
 * A short square loop: the camera goes once around the product, which stands whole in it and out from its backdrop.
 */
export const run: Run = async (request) => {
  const { stage, script, fps } = await planLoop(request);
  const file = await makeFilm(stage, script, fps, { folder: request.folder, name: 'video.mp4' }, (share) =>
    request.report(40 + 59 * share, 'Filming'),
  );
  return { file };
};

/** All that is decided before the first frame is drawn. */
export async function planLoop({ input, pictures, seed, matting, report }: SkillRequest): Promise<FilmPlan> {
  await report(2, 'Reading the picture');
  const photo = await readPicture(pictures['image_url'] ?? '', 'image_url');
  const marks = readMarks(input['marks']); // shares of the whole photo, black frame and all
  const flat = await flattenPicture(photo);
  const picture = marks ? flat : trimFrame(flat);
  refuseBlank(picture, 'image_url');
  const tell: typeof report = (percent, message) => report(percent * 0.3, message);
  const subject = await findSubject(picture, matting, tell, marks);
  await report(30, 'Setting up the scene');
  const frame = { width: SIDE, height: SIDE };
  const stage = await buildStage(picture, subject, placePicture(picture, subject, frame), frame);
  return { stage, script: directLoop(stage, FPS * SECONDS, seed), fps: FPS };
}
