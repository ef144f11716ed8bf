/**
 * npm run sheet: makes a page with input, result, time and figures of every sample, to be inspected by eye. With a
 * folder of photos as argument it cuts those out instead.
 */
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { ownMatting } from '../src/cutout/own-matting.ts';
import { scaleSize, type Size } from '../src/pixels/plane.ts';
import { Refusal } from '../src/refusal.ts';
import { listPlates } from '../src/scenes/plates.ts';
import { planFilm, planLoop } from '../src/skills/films.ts';
import { makePainter } from '../src/video/draw.ts';
import { makeFilm, type FilmPlan } from '../src/video/film.ts';
import { toRgb } from '../src/video/yuv.ts';
import { PRODUCTS, productPath } from './composites.ts';
import { makePerson, PEOPLE_SHOTS, type PersonShot } from './people-judge.ts';
import { runSkill } from './run-skill.ts';
import { type Sample, writePage } from './sheet-page.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));
const SHOWN_SIDE = 640; // pixels
const MOMENTS = [0, 0.2, 0.4, 0.6, 0.8, 1]; // of a film, in its strip
const STRIP_SIDE = 240;
const PHOTOS = [...PRODUCTS, 'person-li', 'person-nora'];

/** Prompts, as sellers of such products write them, by photograph. */
const REAL_SCENES: Readonly<Record<string, readonly string[]>> = {
  'thing-02': ['coat rack in a hallway', 'auf einem Bett'],
  'thing-06': ['flat lay on linen', 'am Strand, Sommer'],
  'thing-12': ['snow and winter forest', 'im Flur auf Fliesen'],
  'thing-18': ['picnic blanket on grass', 'auf der Kommode'],
  'thing-24': ['workshop bench', 'auf Schiefer'],
};

/** Product, prompt, aspect ratio; without a prompt it is the basic loop. */
const FILMS: [product: string, prompt?: string, shape?: string][] = [
  ...['mug', 'handbag', 'thing-12', 'thing-21'].map((product): [string] => [product]),
  ['mug', 'gentle push in, rain', '16:9'],
  ['dropper', 'orbit left with a light sweep', '1:1'],
  ['thing-08', 'autumn leaves, pan right', '4:5'],
  ['kettle', 'petals, orbit', '16:9'],
  ['candle', 'crane up, magic sparkles', '9:16'],
];

/** A sample; `make` makes it in a folder: its picture or film, a film's strip of frames, and figures. */
type Shot = Pick<Sample, 'tool' | 'says' | 'inputs'> & {
  make: (folder: string) => Promise<{ made: string; strip?: Sharp; figures?: string[] }>;
};

const cutOut = (path: string): Shot => ({
  tool: 'cutout',
  says: basename(path, extname(path)),
  inputs: [path],
  make: async (folder) => ({ made: (await runSkill('remove-background', { image_url: path }, folder)).file }),
});

const scene = (photo: string, prompt: string): Shot => ({
  tool: 'scene',
  says: prompt,
  inputs: [productPath(photo)],
  make: async (folder) => {
    const { file, words } = await runSkill('replace-background', { image_url: productPath(photo) }, folder, { prompt });
    return { made: file, figures: [`not drawn: ${words?.notDrawn.join(', ') || 'nothing'}`] };
  },
});

const film = (photo: string, prompt?: string, shape?: string): Shot => ({
  tool: prompt === undefined ? 'loop' : 'film',
  says: `${photo}: ${prompt ?? 'loop'}`,
  inputs: [productPath(photo)],
  make: async (folder) => {
    const report = async () => {};
    const input = { prompt, aspect_ratio: shape };
    const pictures = { image_url: productPath(photo) };
    const request = { input, pictures, folder, seed: 7, matting: ownMatting, report };
    const plan = await (prompt === undefined ? planLoop(request) : planFilm(request));
    const made = await makeFilm(plan, join(folder, 'film.mp4'), report);
    const megabytes = ((await stat(made)).size / 1e6).toFixed(2);
    const figures = [describeSize(plan.stage.frame), `${plan.script.poses.length / plan.fps} s`, `${megabytes} MB`];
    return { made, strip: await drawStrip(plan), figures };
  },
});

async function drawStrip({ stage, script, fps }: FilmPlan): Promise<Sharp> {
  const { frame } = stage;
  const painter = makePainter(stage);
  const { width, height } = scaleSize(frame, STRIP_SIDE / Math.max(frame.width, frame.height));
  const drawn: OverlayOptions[] = [];
  for (const [place, t] of MOMENTS.entries()) {
    const n = Math.round(t * (script.poses.length - 1));
    painter.paint({ pose: script.poses[n]!, t, seconds: n / fps }, script.effects);
    const picture = sharp(toRgb(painter.canvas), { raw: { ...frame, channels: 3 } });
    drawn.push({ input: await picture.resize(width, height).png().toBuffer(), left: place * width, top: 0 });
  }
  const create = { width: width * MOMENTS.length, height, channels: 3 as const, background: '#000' };
  return sharp({ create }).composite(drawn);
}

const person = (shot: PersonShot): Shot => ({
  ...shot,
  inputs: shot.pictures,
  make: async (folder) => {
    const { made, faults } = await makePerson(shot, folder);
    return { made, figures: faults };
  },
});

const describeSize = ({ width, height }: Size) => `${width}x${height}`;

const plates = listPlates();
const SHOTS: Shot[] = [
  ...[...PHOTOS, ...Object.keys(REAL_SCENES)].map((name) => cutOut(productPath(name))),
  ...plates.map(({ says }, n) => scene(PHOTOS[Math.floor((n * PHOTOS.length) / plates.length)]!, says)),
  ...Object.entries(REAL_SCENES).flatMap(([photo, prompts]) => prompts.map((prompt) => scene(photo, prompt))),
  ...PEOPLE_SHOTS.map(person),
  ...FILMS.map((shot) => film(...shot)),
];

/** Makes a sample, and what the page shows of it beside the page. */
async function show({ tool, says, inputs, make }: Shot, name: string): Promise<Sample> {
  for (const path of inputs) await copyFile(path, join(SHEET, basename(path)));
  const sample = { tool, says, inputs: inputs.map((path) => basename(path)) };
  const started = performance.now();
  const time = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  try {
    const { made, strip, figures = [] } = await make(join(SHEET, 'full', name));
    const took = time();
    const files = { picture: `${name}.webp`, ...(strip && { film: `${name}.mp4` }) };
    if (!strip) figures.unshift(describeSize(await sharp(made).metadata()));
    const shown = { ...sample, ...files, figures: [...figures, took].join(' · ') };
    const small = strip ?? sharp(made).resize(SHOWN_SIDE, SHOWN_SIDE, { fit: 'inside' });
    await small.webp({ quality: 88 }).toFile(join(SHEET, files.picture));
    if (files.film) await copyFile(made, join(SHEET, files.film));
    return shown;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...sample, refusal: error.message, figures: `refused · ${time()}` };
  }
}

const isPhoto = (file: string) => /\.(jpe?g|png|webp)$/i.test(file);
const photos = process.argv[2];
const shots =
  photos === undefined ? SHOTS : (await readdir(photos)).filter(isPhoto).map((file) => cutOut(join(photos, file)));
await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
const samples: Sample[] = [];
for (const [n, shot] of shots.entries()) samples.push(await show(shot, `${shot.tool}-${n + 1}`));
await writeFile(
  join(SHEET, 'index.html'),
  writePage(samples, `${samples.length} samples, Node ${process.versions.node}.`),
);
console.log(join(SHEET, 'index.html'));
