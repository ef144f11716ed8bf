/**
 * npm run sheet: makes a page with input, result, time and figures of every sample, to be inspected by eye. With a
 * folder of photos as argument it cuts those out instead.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PHOTOS, showCutout } from './cutout-sheet.ts';
import { FILM_SHOTS, showFilm } from './film-sheet.ts';
import { PEOPLE_SHOTS } from './people-judge.ts';
import { showPerson } from './people-sheet.ts';
import { REAL_PHOTOS, showScenes } from './scene-sheet.ts';
import { type Sample, secondsSince, writePage } from './sheet-page.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));
const PHOTO = /\.(jpe?g|png|webp)$/i;

await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
const started = performance.now();
const samples: Sample[] = [];
const photos = process.argv[2];
if (photos === undefined) await showSamples();
else await showPhotos(photos);
const facts = `${samples.length} samples in ${secondsSince(started)}, Node ${process.versions.node}.`;
await writeFile(join(SHEET, 'index.html'), writePage(samples, facts));
console.log(`${facts}\n${join(SHEET, 'index.html')}`);

async function showSamples(): Promise<void> {
  for (const name of [...PHOTOS, ...REAL_PHOTOS]) {
    const { sample, cutout } = await showCutout(SHEET, name);
    samples.push(sample, ...(cutout ? await showScenes(SHEET, name, cutout) : []));
  }
  for (const [n, shot] of PEOPLE_SHOTS.entries()) samples.push(await showPerson(SHEET, shot, `people-${n + 1}`));
  for (const [n, shot] of FILM_SHOTS.entries()) samples.push(await showFilm(SHEET, shot, `video-${n + 1}`));
}

async function showPhotos(folder: string): Promise<void> {
  for (const file of (await readdir(folder)).filter((name) => PHOTO.test(name)).toSorted()) {
    const { sample } = await showCutout(SHEET, basename(file, extname(file)), join(folder, file));
    samples.push(sample);
  }
}
