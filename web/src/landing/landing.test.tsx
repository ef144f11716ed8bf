import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { prerender } from 'react-dom/static';
import { expect, test } from 'vitest';
import { isSiteWord } from '@plinth/contract/site';
import { tools } from '@plinth/contract/tools';
import { plural } from '../ui/format.ts';
import { questions } from './content.ts';
import { heroPairs, HOW_MADE } from './HeroPicture.tsx';
import { LandingScreen } from './LandingScreen.tsx';

const PICTURES = join(import.meta.dirname, 'pictures');
const REPOSITORY = join(import.meta.dirname, '..', '..', '..');
const KB = 1000;

const pageMarkup = (async () => new Response((await prerender(<LandingScreen />)).prelude).text())();

/** Bytes of the narrowest file of a cut that is at least so wide, else of its widest. */
function weigh(cut: string, width: number, format: string): number {
  const widths = readdirSync(PICTURES)
    .map((file) => new RegExp(`^${cut}-(\\d+)\\.${format}$`).exec(file)?.[1])
    .filter((found) => found !== undefined)
    .map(Number)
    .sort((one, other) => one - other);
  const chosen = widths.find((one) => one >= width) ?? widths.at(-1);
  return statSync(join(PICTURES, `${cut}-${chosen}.${format}`)).size;
}

test.each(heroPairs)('the pair $key weighs at most 70 KB on a phone of 390 px and 220 KB at 1440 px', ({ key }) => {
  const pair = (width: number) =>
    weigh(`hero-${key}-before`, width, 'avif') + weigh(`hero-${key}-after`, width, 'avif');
  expect(pair(390)).toBeLessThanOrEqual(70 * KB);
  expect(pair(2 * 390)).toBeLessThanOrEqual(70 * KB);
  expect(pair(1440)).toBeLessThanOrEqual(220 * KB);
});

test('the packed pictures are those of the originals', () => {
  expect(() => execFileSync(process.execPath, ['scripts/pictures.mjs', '--check'], { cwd: REPOSITORY })).not.toThrow();
});

test('the hero says the price that the tool has', () => {
  const price = plural(tools['text-to-image'].cost, 'credit');
  expect(HOW_MADE).toContain(`Background customization, ${price}.`);
});

test('every picture keeps its place and comes in two formats; only the first pair is loaded at once', async () => {
  const markup = await pageMarkup;
  const pictures = markup.match(/<picture>.*?<\/picture>/gs) ?? [];
  expect(pictures).toHaveLength(6 + 3 + 4 + 5);
  for (const picture of pictures) {
    expect(picture).toMatch(/<source type="image\/avif" srcset="[^"]+ \d+w"/i);
    expect(picture).toMatch(/<img [^>]*src="[^"]+\.webp[^"]*"/);
    expect(picture).toMatch(/width="\d+" height="\d+"/);
    expect(picture).toMatch(/alt="/);
  }
  const eager = pictures.filter((picture) => picture.includes('fetchPriority="high"'));
  expect(eager).toHaveLength(2);
  const waiting = pictures.filter((picture) => picture.includes('loading="lazy"'));
  expect(waiting).toHaveLength(4 + 4 + 5);
});

test('there are six questions, and the one that stands open is one of them', async () => {
  expect(questions).toHaveLength(6);
  expect((await pageMarkup).match(/<details[^>]* open/g)).toHaveLength(1);
});

test('what a new account gets is said only where it gets something', async () => {
  expect(await pageMarkup).toMatch(/\{\{if welcome\}\}<p [^>]+>\{\{welcome\}\}<\/p>\{\{end\}\}/);
});

test("every mark for the operator's words is one that the server knows", async () => {
  const marks = [...(await pageMarkup).matchAll(/\{\{(?:(?:if|unless) )?(\w+)\}\}/g)].map(([, word]) => word ?? '');
  expect(marks).toContain('contactEmail');
  for (const word of marks) expect(word === 'end' || isSiteWord(word), word).toBe(true);
});
