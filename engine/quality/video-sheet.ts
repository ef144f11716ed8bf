// The sheet's films: the upload, five moments as a strip, the film itself, time and size.
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { classicalMatter } from '../src/matting/classical.ts';
import { findSkill } from '../src/skills/skills.ts';
import { makePainter } from '../src/video/draw.ts';
import type { VideoFile } from '../src/video/film.ts';
import { frameToRgb } from '../src/video/yuv.ts';
import { productPath } from './composites.ts';
import { buildSet, loopScript, writeScript } from './video.ts';

const BASIC = 'fal-ai/ltx-video/image-to-video';
const PREMIUM = 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video';
const MOMENTS = [0, 0.25, 0.5, 0.75, 1];
const STRIP_WIDTH = 320;

interface Shot {
  app: string;
  product: string;
  prompt: string;
  shape: '1:1' | '16:9' | '9:16';
}

const SHOTS: Shot[] = [
  ...['mug', 'handbag', 'teddy', 'wineglass'].map((product) => basic(product)),
  premium('mug', 'hot steam rising, gentle push in', '16:9'),
  premium('dropper', 'orbit left with a light sweep', '1:1'),
  premium('handbag', 'autumn leaves, pan right', '16:9'),
  premium('teddy', 'confetti, zoom out', '1:1'),
  premium('kettle', 'fog and sun rays, crane up', '16:9'),
  premium('candle', 'the candle floats, magic sparkles', '1:1'),
  premium('ringvase', 'cherry blossom petals, parallax', '9:16'),
  premium('wineglass', 'soft bokeh, focus pull', '9:16'),
  premium('headphones', 'rotate, dynamic, dust particles', '16:9'),
  premium('mug', 'water ripples and rain', '1:1'),
];

function basic(product: string): Shot {
  return { app: BASIC, product, prompt: '', shape: '1:1' };
}

function premium(product: string, prompt: string, shape: Shot['shape']): Shot {
  return { app: PREMIUM, product, prompt, shape };
}

/** One figure per film; files go into `folder`, addresses in the figures are relative to it. */
export async function showVideos(folder: string): Promise<string[]> {
  const cells: string[] = [];
  for (const [n, shot] of SHOTS.entries()) cells.push(await showVideo(folder, shot, `video-${n + 1}`));
  return cells;
}

async function showVideo(folder: string, { app, product, prompt, shape }: Shot, name: string): Promise<string> {
  const { run } = (await findSkill(app)?.load()) ?? {};
  if (!run) throw new Error(`no skill ${app}`);
  await mkdir(folder, { recursive: true });
  await copyFile(productPath(product), join(folder, `${product}.jpg`));
  const started = performance.now();
  const input = { prompt, ...(app === PREMIUM && { aspect_ratio: shape }) };
  const pictures = { image_url: productPath(product) };
  const request = { input, pictures, folder: join(folder, 'full'), seed: 7, matter: classicalMatter };
  const { video } = (await run({ ...request, report: async () => {} })) as { video: VideoFile };
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  await rename(video.local_path, join(folder, `${name}.mp4`));
  await writeStrip(join(folder, `${name}.webp`), app, product, prompt, video);
  const figures = `${video.width}x${video.height} · ${video.duration} s at ${video.fps} · ${(video.file_size / 1e6).toFixed(2)} MB · ${seconds} s`;
  const player = `<video src="${name}.mp4" controls loop muted autoplay playsinline style="width:100%"></video>`;
  const strip = `<img src="${name}.webp" style="grid-column:1/3">`;
  return `<figure><img src="${product}.jpg">${player}${strip}<figcaption>${prompt || 'basic loop'} · ${figures}</figcaption></figure>`;
}

/** Drawn anew at the film's size, with the true mask where there is one: the film itself stands beside it. */
async function writeStrip(path: string, app: string, product: string, prompt: string, film: VideoFile): Promise<void> {
  const frame = { width: film.width, height: film.height };
  const set = await buildSet(product, frame);
  const script = app === BASIC ? loopScript(set, film.num_frames) : writeScript(set, prompt, film.num_frames);
  const painter = makePainter(set.stage);
  const height = Math.round((STRIP_WIDTH * frame.height) / frame.width);
  const shots: OverlayOptions[] = [];
  for (const [place, t] of MOMENTS.entries()) {
    const n = Math.round(t * (film.num_frames - 1));
    painter.paint({ pose: script.poses[n]!, n, t, seconds: n / film.fps }, script.effects);
    const rgb = frameToRgb(painter.canvas);
    const raw = { raw: { ...frame, channels: 3 as const } };
    shots.push({
      input: await sharp(rgb, raw).resize(STRIP_WIDTH).png().toBuffer(),
      left: place * STRIP_WIDTH,
      top: 0,
    });
  }
  const blank = { width: STRIP_WIDTH * MOMENTS.length, height, channels: 3 as const, background: '#000' };
  await sharp({ create: blank }).composite(shots).webp({ quality: 88 }).toFile(path);
}
