import { directLoop } from '../video/director.ts';
import { makeFilm, type FilmPlan } from '../video/film.ts';
import { setUpStage } from './film-stage.ts';
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
export async function planLoop(request: SkillRequest): Promise<FilmPlan> {
  const stage = await setUpStage(request, { width: SIDE, height: SIDE }, 0.3);
  return { stage, script: directLoop(stage, FPS * SECONDS, request.seed), fps: FPS };
}
