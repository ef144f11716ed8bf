import { readMarks } from '../cutout/marks.ts';
import { refuseBlank } from '../pixels/blank.ts';
import { readPicture } from '../pixels/decode.ts';
import type { Understood } from '../words/scene-report.ts';
import { direct } from '../video/director.ts';
import { makeFilm, type FilmPlan } from '../video/film.ts';
import { chooseFormat } from '../video/formats.ts';
import { readMotion } from '../words/motion.ts';
import { placePicture } from '../video/placement.ts';
import { flattenPicture, trimFrame } from '../video/prepare.ts';
import { buildStage } from '../video/stage.ts';
import { findSubject } from '../video/subject.ts';
import type { Run, SkillRequest } from './skills.ts';

/**
 * The product filmed the way the prompt describes, in the asked-for shape; the background goes on where the photo ends.
 */
export const run: Run = async (request) => {
  const { stage, script, fps, words } = await planFilm(request);
  const file = await makeFilm(stage, script, fps, { folder: request.folder, name: 'video.mp4' }, (share) =>
    request.report(25 + 74 * share, 'Filming'),
  );
  return { file, words: { understood: words.understood, notDrawn: words.notDrawn } };
};

/** All that is decided before the first frame is drawn. */
export async function planFilm(request: SkillRequest): Promise<FilmPlan & { words: Understood }> {
  const { input, pictures, seed, matting, report } = request;
  await report(2, 'Reading the picture');
  const flat = await flattenPicture(await readPicture(pictures['image_url'] ?? '', 'image_url'));
  const marks = readMarks(input['marks']); // shares of the whole photo, black frame and all
  const picture = marks ? flat : trimFrame(flat);
  refuseBlank(picture, 'image_url');
  const tell: typeof report = (percent, message) => report(percent * 0.2, message);
  const subject = await findSubject(picture, matting, tell, marks);
  await report(20, 'Setting up the scene');
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  const { width, height, fps, seconds } = chooseFormat(text('aspect_ratio'), text('duration'));
  const frame = { width, height };
  const stage = await buildStage(picture, subject, placePicture(picture, subject, frame), frame);
  const motion = readMotion(text('prompt') ?? '', seed, stage.product !== undefined);
  return { stage, script: direct(stage, motion, seconds * fps, seed), fps, words: motion };
}
