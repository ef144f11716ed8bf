import { join } from 'node:path';
import { WORK_SIDE } from '../cutout/find-product.ts';
import type { Report } from '../cutout/matting.ts';
import { layOnWhite, readPicture, isBlank, shrinkRgb } from '../pixels/decode.ts';
import type { Size } from '../pixels/plane.ts';
import { Refusal } from '../refusal.ts';
import { direct, directLoop } from '../video/director.ts';
import { makeFilm, type FilmPlan } from '../video/film.ts';
import { chooseFormat } from '../video/formats.ts';
import { placePicture } from '../video/placement.ts';
import { buildStage, type Stage } from '../video/stage.ts';
import { findSubject } from '../video/subject.ts';
import { readMotion } from '../words/motion.ts';
import type { Understood } from '../words/report.ts';
import type { Run, SkillRequest } from './skills.ts';

const MAX_SIDE = 2048; // pixels of the photo: more do not improve a video of at most 1920 pixels
const LOOP = { side: 768, fps: 24, seconds: 4 };

/** Makes a short square loop: the camera circles once around the product, which stays in frame and off its backdrop. */
export const makeLoop: Run = async (request) => ({ file: await renderFilm(request, await planLoop(request), 40) });

/** Films the product as the prompt describes, in the requested shape. The background extends beyond the photo. */
export const makeFilmFromPrompt: Run = async (request) => {
  const plan = await planFilm(request);
  return { file: await renderFilm(request, plan, 25), words: plan.words };
};

/** `planned`: percent of the work that precedes the first frame. Returns the film's path. */
function renderFilm({ folder, report }: SkillRequest, plan: FilmPlan, planned: number): Promise<string> {
  const reportProgress = (share: number) => report(planned + (99 - planned) * share);
  return makeFilm(plan, join(folder, 'video.mp4'), reportProgress);
}

/** Plans a loop, before its first frame is drawn. */
export async function planLoop(request: SkillRequest): Promise<FilmPlan> {
  const { side, fps, seconds } = LOOP;
  const stage = await setUpStage(request, { width: side, height: side }, 0.3);
  return { stage, script: directLoop(stage, fps * seconds, request.seed), fps };
}

/** Plans a film and reports which of its words are drawn. */
export async function planFilm(request: SkillRequest): Promise<FilmPlan & { words: Understood }> {
  const { input, seed } = request;
  const { width, height, fps, seconds } = chooseFormat(input.aspect_ratio, input.duration);
  const stage = await setUpStage(request, { width, height }, 0.2);
  const motion = readMotion(input.prompt ?? '', seed, stage.product !== undefined);
  const { understood, notDrawn } = motion;
  return { stage, script: direct(stage, motion, seconds * fps, seed), fps, words: { understood, notDrawn } };
}

/** Prepares the photo for a film of `frame` pixels; detecting the product takes `share` (0..1) of the whole work. */
async function setUpStage(request: SkillRequest, frame: Size, share: number): Promise<Stage> {
  const { input, pictures, matting, report } = request;
  await report(2);
  const { photo, small } = await readPhoto(pictures['image_url'] ?? '');
  if (isBlank(photo)) throw new Refusal('The picture is empty. Use a photo that shows your product.');
  const reportProgress: Report = (percent) => report(percent * share);
  const subject = await findSubject(photo, matting, reportProgress, { marks: input.marks, small });
  await report(100 * share);
  return buildStage(layOnWhite(photo), subject, placePicture(photo, subject, frame), frame);
}

/** The photo at the film's size and at the detector's size. A larger original is released as soon as it is read. */
async function readPhoto(path: string) {
  const original = await readPicture(path);
  return { photo: await shrinkRgb(original, MAX_SIDE), small: await shrinkRgb(original, WORK_SIDE) };
}
