/**
 * Cuts out every photo of a folder and puts each beside its result, to be looked at after a change of the cut-outs:
 * `node engine/quality/photo-sheet.ts FOLDER`. Drawn pictures flatter a network that was trained on drawings, and real
 * ones with a licence to be shipped are few.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { showCutout } from './cutout-sheet.ts';
import { writePage, type Sample } from './sheet-page.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));
const PHOTO = /\.(jpe?g|png|webp)$/i;

const folder = resolve(process.argv[2] ?? '.');
const files = (await readdir(folder)).filter((file) => PHOTO.test(file)).toSorted();
if (files.length === 0) throw new Error(`no photo in ${folder}`);
await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
const samples: Sample[] = [];
for (const file of files) {
  const { sample } = await showCutout(SHEET, basename(file, extname(file)), join(folder, file));
  samples.push(sample);
  console.log(`${file}: ${sample.refusal ?? sample.figures}`);
}
const refused = samples.filter(({ refusal }) => refusal !== undefined).length;
await writeFile(join(SHEET, 'index.html'), writePage(samples, `${files.length} photos, ${refused} refused.`, []));
console.log(`${refused} of ${files.length} refused\n${join(SHEET, 'index.html')}`);
