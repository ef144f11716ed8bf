/**
 * npm run quality: evaluates the pictures; fails if a figure falls short. With names of parts as arguments it evaluates
 * only those.
 */
import { judgeFilms } from './films.ts';
import { judgeCutouts } from './judge.ts';
import { judgePeople } from './people-judge.ts';
import { judgeScenes } from './scenes.ts';
import { judgeTries } from './tries.ts';

const PARTS: Readonly<Record<string, () => Promise<string[]>>> = {
  'cut-outs': judgeCutouts,
  people: judgePeople,
  scenes: judgeScenes,
  tries: judgeTries,
  films: judgeFilms,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS);
const shortcomings: string[] = [];
for (const name of names) {
  const judge = PARTS[name];
  if (judge === undefined) throw new Error(`no part ${name}: ${Object.keys(PARTS).join(', ')}`);
  shortcomings.push(...(await judge()));
}
for (const shortcoming of shortcomings) console.log(`falls short: ${shortcoming}`);
process.exitCode = shortcomings.length === 0 ? 0 : 1;
