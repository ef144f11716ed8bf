/** The sheet's films: the upload, the film, a strip of six frames, time and size. */
import { copyFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { planFilm, planLoop } from '../src/skills/films.ts';
import { makePainter } from '../src/video/draw.ts';
import { makeFilm, type FilmPlan } from '../src/video/film.ts';
import { toRgb } from '../src/video/yuv.ts';
import { productPath } from './composites.ts';
import { secondsSince, type Sample } from './sheet-page.ts';

const MOMENTS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const STRIP_SIDE = 240; // pixels of each picture's long side

/** Product, prompt, aspect ratio; without a prompt it is the basic loop. */
type FilmShot = [product: string, prompt?: string, shape?: string];

export const FILM_SHOTS: FilmShot[] = [
  ...['mug', 'handbag', 'thing-12', 'thing-21'].map((product): FilmShot => [product]),
  ['mug', 'gentle push in, rain', '16:9'],
  ['dropper', 'orbit left with a light sweep', '1:1'],
  ['thing-08', 'autumn leaves, pan right', '4:5'],
  ['kettle', 'petals, orbit', '16:9'],
  ['candle', 'crane up, magic sparkles', '9:16'],
];

/** Writes files into `folder`; paths in the sample are relative to it. */
export async function showFilm(folder: string, shot: FilmShot, name: string): Promise<Sample> {
  const [product, prompt, aspectRatio] = shot;
  const input = { prompt, aspect_ratio: aspectRatio };
  await copyFile(productPath(product), join(folder, `${product}.jpg`));
  const started = performance.now();
  const report = async () => {};
  const pictures = { image_url: productPath(product) };
  const request = { input, pictures, folder: join(folder, 'full'), seed: 7, matting: ownMatting, report };
  const plan = await (prompt === undefined ? planLoop(request) : planFilm(request));
  const video = await makeFilm(plan, join(request.folder, `${name}.mp4`), report);
  const time = secondsSince(started);
  const { size } = await stat(video);
  await rename(video, join(folder, `${name}.mp4`));
  await writeStrip(join(folder, `${name}.webp`), plan);
  const { width, height } = plan.stage.frame;
  const megabytes = (size / 1e6).toFixed(2);
  return {
    tool: prompt === undefined ? 'loop' : 'film',
    says: `${product}: ${prompt ?? 'loop'}`,
    inputs: [`${product}.jpg`],
    shown: [
      { file: `${name}.mp4`, kind: 'film' },
      { file: `${name}.webp`, kind: 'strip' },
    ],
    figures: `${width}x${height} · ${plan.script.poses.length / plan.fps} s · ${megabytes} MB · ${time}`,
  };
}

async function writeStrip(path: string, { stage, script, fps }: FilmPlan): Promise<void> {
  const { frame } = stage;
  const painter = makePainter(stage);
  const share = STRIP_SIDE / Math.max(frame.width, frame.height);
  const size = { width: Math.round(frame.width * share), height: Math.round(frame.height * share) };
  const moments: OverlayOptions[] = [];
  for (const [place, t] of MOMENTS.entries()) {
    const n = Math.round(t * (script.poses.length - 1));
    painter.paint({ pose: script.poses[n]!, t, seconds: n / fps }, script.effects);
    const drawn = sharp(toRgb(painter.canvas), { raw: { ...frame, channels: 3 } });
    const input = await drawn.resize(size.width, size.height).png().toBuffer();
    moments.push({ input, left: place * size.width, top: 0 });
  }
  const blank = { width: size.width * MOMENTS.length, height: size.height, channels: 3 as const, background: '#000' };
  await sharp({ create: blank }).composite(moments).webp({ quality: 88 }).toFile(path);
}
