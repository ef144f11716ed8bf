/** npm run quality: tests and figures of how good the pictures are; fails when one of them falls short. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { judgeCutouts } from './judge.ts';
import { findFilmShortcomings, measureFilms } from './films.ts';
import { findSceneShortcomings, measureScene, SCENE_CASES, type SceneRow } from './scenes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const people = fileURLToPath(new URL('people-judge.ts', import.meta.url));
const codes = [[vitest, 'run', '--project', 'quality'], [people]].map(
  (parameters) => spawnSync(process.execPath, parameters, { cwd: root, stdio: 'inherit' }).status,
);

const faults = await judgeCutouts();
const scenes: SceneRow[] = [];
for (const sceneCase of SCENE_CASES) scenes.push(await measureScene(sceneCase));
console.log('replace-background: scenes (by true masks)');
console.table(
  scenes.map((row) => ({
    scene: row.name,
    chosen: row.chosen,
    'untouched %': (100 * row.untouched).toFixed(1),
    contact: row.contact.toFixed(2),
    hero: row.hero.toFixed(2),
    ms: Math.round(row.milliseconds),
  })),
);
const films = await measureFilms();
console.log('image-to-video: films (drawn at 384 x 384, by true masks)');
console.table(
  films.map((row) => ({
    film: row.film,
    product: row.product,
    'first frame dB': row.firstFrame.toFixed(1),
    'mean step': row.step.toFixed(2),
    'largest/mean': row.largest.toFixed(2),
    'wrap/mean': row.wrap?.toFixed(2) ?? '',
    'free edge %': (100 * row.freeEdge).toFixed(1),
  })),
);
faults.push(...findSceneShortcomings(scenes), ...findFilmShortcomings(films));
for (const fault of faults) console.log(`falls short: ${fault}`);
process.exit(faults.length === 0 && codes.every((code) => code === 0) ? 0 : 1);
