import { direct } from '../video/director.ts';
import { makeFilm, type FilmPlan } from '../video/film.ts';
import { chooseFormat } from '../video/formats.ts';
import { readMotion } from '../words/motion.ts';
import type { Understood } from '../words/report.ts';
import { setUpStage } from './film-stage.ts';
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
  const { input, seed } = request;
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : undefined);
  const { width, height, fps, seconds } = chooseFormat(text('aspect_ratio'), text('duration'));
  const stage = await setUpStage(request, { width, height }, 0.2);
  const motion = readMotion(text('prompt') ?? '', seed, stage.product !== undefined);
  return { stage, script: direct(stage, motion, seconds * fps, seed), fps, words: motion };
}
