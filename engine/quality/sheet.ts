// npm run sheet: one page with input, result, time and figures of every sample, to be looked at with a harsh eye.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { showCutouts } from './cutout-sheet.ts';
import { showScenes } from './scene-sheet.ts';
import { showPeople } from './people-sheet.ts';
import { showVideos } from './video-sheet.ts';

const SHEET = fileURLToPath(new URL('../sheet/', import.meta.url));

await rm(SHEET, { recursive: true, force: true });
await mkdir(SHEET, { recursive: true });
await loadOpenCv();
const { cells, cutouts } = await showCutouts(SHEET);
cells.push(...(await showScenes(SHEET, cutouts)));
cells.push(...(await showPeople(SHEET)));
cells.push(...(await showVideos(SHEET)));
await writeFile(join(SHEET, 'index.html'), page(cells));
console.log(join(SHEET, 'index.html'));

function page(all: string[]): string {
  const style = `body{font:14px sans-serif;background:#ddd}main{display:grid;grid-template-columns:repeat(auto-fill,minmax(320px,1fr));gap:16px}
figure{margin:0;grid-column:span 2;display:grid;grid-template-columns:1fr 2fr;gap:8px}figcaption{grid-column:1/-1}
.wide{grid-column:1/-1;grid-template-columns:repeat(4,1fr)}.scene{grid-column:span 1;grid-template-columns:1fr}
img{width:100%;background:repeating-conic-gradient(#bbb 0 25%,#eee 0 50%) 0/24px 24px}`;
  return `<!doctype html><meta charset="utf-8"><title>Engine sheet</title><style>${style}</style><main>${all.join('\n')}</main>\n`;
}
