/**
 * Prints how often headshots and dress changes of real people are made, wrong but shown, or refused. With a folder as
 * argument, what came goes there, to be looked at: the measures see what is torn, not what is ugly. `front` counts the
 * people of both halves whose chest is turned to the camera, seen to the armpits, with nothing before it. A second
 * argument, `tune` or `judge`, looks at this half alone.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FieldProblem } from '../src/problem.ts';
import { askSkill } from './ask-skill.ts';
import { findDressFaults, findHeadshotFaults, listRealPeople, portraitPath, realPath, samplePath } from './people.ts';

const GARMENTS = {
  tune: ['garment-02', 'garment-06', 'garment-10', 'garment-16', 'garment-20'].map(realPath),
  judge: [
    ...['garment-05', 'garment-09', 'garment-17'].map(realPath),
    samplePath('garment-striped'),
    samplePath('garment-jacket'),
  ],
};
const GARMENTS_EACH = 3;

type Row = { tool: string; half: string; isFront: boolean; name: string; refusal?: string; faults: string[] };

const [, , shown, only] = process.argv;
const folder = shown ?? (await mkdtemp(join(tmpdir(), 'people-judge-')));
await mkdir(folder, { recursive: true });
const rows: Row[] = [];
for (const [n, { name, uses, half }] of listRealPeople().entries()) {
  if (only !== undefined && half !== only) continue;
  const isFront = uses.includes('front');
  if (uses.includes('headshot')) {
    const pictures = { face_image_0: realPath(name), target_image: portraitPath(1 + (n % 7)) };
    rows.push({ half, isFront, ...(await judge('headshot', name, pictures, (made) => findHeadshotFaults(made))) });
  }
  if (!uses.includes('dress')) continue;
  for (let k = 0; k < GARMENTS_EACH; k += 1) {
    const garment = GARMENTS[half][(n + 2 * k) % GARMENTS[half].length]!;
    const pictures = { model_image: realPath(name), garment_image: garment };
    const title = `${name} in ${garment.split('/').at(-1)?.replace('.jpg', '') ?? ''}`;
    const made = await judge('try-on', title, pictures, (path) => findDressFaults(path, realPath(name), garment));
    rows.push({ half, isFront, ...made });
  }
}
for (const { half, name, refusal, faults } of rows) {
  console.log(`${half} ${name}: ${refusal === undefined ? faults.join(', ') || 'made' : `refused: ${refusal}`}`);
}
console.table(
  ['headshot', 'try-on'].flatMap((tool) =>
    ['tune', 'judge', 'front'].map((half) => {
      const mine = rows.filter((row) => row.tool === tool && (row.half === half || (half === 'front' && row.isFront)));
      const count = (isMine: (row: Row) => boolean) => `${mine.filter(isMine).length} of ${mine.length}`;
      return {
        tool,
        half,
        made: count(({ refusal, faults }) => refusal === undefined && faults.length === 0),
        'torn but shown': count(({ faults }) => faults.length > 0),
        refused: count(({ refusal }) => refusal !== undefined),
      };
    }),
  ),
);
if (shown === undefined) await rm(folder, { recursive: true, force: true });

async function judge(
  tool: string,
  name: string,
  pictures: Record<string, string>,
  find: (made: string) => Promise<string[]>,
): Promise<Pick<Row, 'tool' | 'name' | 'refusal' | 'faults'>> {
  try {
    const { path: made } = await askSkill(tool, pictures, folder);
    const faults = await find(made);
    if (shown !== undefined) await copyFile(made, join(folder, `${tool}-${name.replaceAll(' ', '-')}.png`));
    return { tool, name, faults };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    return { tool, name, refusal: error.message, faults: [] };
  }
}
