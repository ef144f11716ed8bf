// npm run quality: measures both skills, prints the tables, fails when something falls short.
import { loadOpenCv } from '../src/pixels/opencv.ts';
import { findGlassShortcomings, measureGlasses } from './clear-glass.ts';
import { composedCases, findShortcomings, measureRemoval, photoCases, summarise } from './removal.ts';
import { outdoorCases } from './outdoors.ts';
import { findFilmShortcomings, measureFilms } from './video-figures.ts';
import { findSceneShortcomings, measureScene, SCENE_CASES, type SceneRow } from './scenes.ts';

await loadOpenCv();
const rows = await measureRemoval([...photoCases(), ...composedCases(), ...outdoorCases()]);
console.log('remove-background: every picture');
console.table(
  rows.map((row) => ({
    picture: row.name,
    IoU: row.wasRefused ? 'refused' : row.iou.toFixed(3),
    'MAE x1000': row.wasRefused ? '' : row.mae.toFixed(1),
    'edge %': row.wasRefused ? '' : row.band.toFixed(1),
    ms: Math.round(row.milliseconds),
  })),
);
console.log('remove-background: classes (means of what was not refused)');
console.table(
  summarise(rows).map((figures) => ({
    class: figures.class,
    pictures: figures.count,
    refused: figures.refused,
    IoU: figures.iou.toFixed(3),
    worst: figures.worst.toFixed(3),
    'MAE x1000': figures.mae.toFixed(1),
    'edge %': figures.band.toFixed(1),
    gradient: figures.gradient.toFixed(2),
    'fringe on green': figures.fringe.toFixed(1),
  })),
);
const glasses = await measureGlasses();
console.log('remove-background: clear glass, which shows its background');
console.table(
  glasses.map((row) => ({
    glass: row.name,
    'IoU of what is covered': row.wasFound ? row.iou.toFixed(3) : 'not found',
    'MAE x1000': (1000 * row.mae).toFixed(1),
    'MAE inside': row.inside.toFixed(3),
    'grey levels on marble': row.composite?.toFixed(1) ?? '',
    ms: Math.round(row.milliseconds),
  })),
);
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
    'foot slips px': row.slip?.toFixed(1) ?? '',
  })),
);
const faults = [
  ...findShortcomings(rows),
  ...findGlassShortcomings(glasses),
  ...findSceneShortcomings(scenes),
  ...findFilmShortcomings(films),
];
for (const fault of faults) console.log(`falls short: ${fault}`);
process.exit(faults.length > 0 ? 1 : 0);
