/**
 * Counts headshots and dress changes that are made, wrong but shown, or refused: of drawn samples and of real people.
 * `front` counts real people whose chest faces the camera, visible to the armpits and unobstructed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Refusal } from '../src/refusal.ts';
import { runSkill } from './run-skill.ts';
import { findDressFaults, findHeadshotFaults, listRealPeople, portraitPath, realPath, samplePath } from './people.ts';

type PeopleSet = 'samples' | 'tune' | 'judge';

export type PersonShot = {
  tool: 'try-on' | 'headshot';
  set: PeopleSet;
  isFront: boolean;
  /** The person, and the garment or studio. */
  says: string;
  pictures: [person: string, beside: string];
};

const GARMENTS: Record<PeopleSet, string[]> = {
  samples: ['dress', 'jacket', 'striped', 'tshirt'].map((name) => samplePath(`garment-${name}`)),
  tune: ['garment-02', 'garment-06', 'garment-10', 'garment-16', 'garment-20'].map(realPath),
  judge: [
    ...['garment-05', 'garment-09', 'garment-17'].map(realPath),
    samplePath('garment-striped'),
    samplePath('garment-jacket'),
  ],
};
const GARMENTS_EACH = 3;

const nameOf = (path: string) => path.split('/').at(-1)?.replace('.jpg', '') ?? '';

/** Every sample person in every garment; every real person in three garments of the same half, and in a studio. */
export const PEOPLE_SHOTS: PersonShot[] = [
  ...['li', 'nora', 'tom'].flatMap((name) =>
    GARMENTS.samples.map((garment) => dress('samples', false, samplePath(`person-${name}`), garment)),
  ),
  ...listRealPeople().flatMap(({ name, uses, half }, n) => {
    const isFront = uses.includes('front');
    const studio = portraitPath(1 + (n % 7));
    const picked = Array.from(
      { length: GARMENTS_EACH },
      (_, k) => GARMENTS[half][(n + 2 * k) % GARMENTS[half].length]!,
    );
    const headshot: PersonShot = {
      tool: 'headshot',
      set: half,
      isFront,
      says: `${name} before ${nameOf(studio)}`,
      pictures: [realPath(name), studio],
    };
    return [
      ...(uses.includes('headshot') ? [headshot] : []),
      ...(uses.includes('dress') ? picked.map((garment) => dress(half, isFront, realPath(name), garment)) : []),
    ];
  }),
];

function dress(set: PeopleSet, isFront: boolean, person: string, garment: string): PersonShot {
  return { tool: 'try-on', set, isFront, says: `${nameOf(person)} in ${nameOf(garment)}`, pictures: [person, garment] };
}

/** Makes a picture in the folder; returns its path and its faults. @throws Refusal */
export async function makePerson({ tool, pictures }: PersonShot, folder: string) {
  const [person, beside] = pictures;
  if (tool === 'headshot') {
    const { file } = await runSkill(tool, { face_image_0: person, target_image: beside }, folder);
    return { made: file, faults: await findHeadshotFaults(file) };
  }
  const { file } = await runSkill(tool, { model_image: person, garment_image: beside }, folder);
  return { made: file, faults: await findDressFaults(file, person, beside) };
}

/** The faults of a result, or the refusal. */
type PersonRow = PersonShot & { faults: string[]; refusal?: string };

async function judgePerson(shot: PersonShot, folder: string): Promise<PersonRow> {
  try {
    return { ...shot, faults: (await makePerson(shot, folder)).faults };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...shot, faults: [], refusal: error.message };
  }
}

/** Figures reached so far, rounded: minimum share made, and maximum share wrong but shown. */
const LIMITS: Readonly<Record<PersonShot['tool'], { made: number; wrong: number }>> = {
  headshot: { made: 0.7, wrong: 0.12 },
  'try-on': { made: 0.56, wrong: 0 },
};

/** Evaluates all of them and prints a table; returns a sentence per limit that the judge half misses. */
export async function judgePeople(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'people-judge-'));
  const rows: PersonRow[] = [];
  for (const shot of PEOPLE_SHOTS) rows.push(await judgePerson(shot, folder));
  await rm(folder, { recursive: true, force: true });
  for (const { set, says, refusal, faults } of rows) {
    console.log(`${set} ${says}: ${refusal === undefined ? faults.join(', ') || 'made' : `refused: ${refusal}`}`);
  }
  const shortcomings: string[] = [];
  const table = (['headshot', 'try-on'] as const).flatMap((tool) =>
    (['samples', 'tune', 'judge', 'front'] as const).map((set) => {
      const mine = rows.filter((row) => row.tool === tool && (set === 'front' ? row.isFront : row.set === set));
      const made = mine.filter(({ refusal, faults }) => refusal === undefined && faults.length === 0).length;
      const wrong = mine.filter(({ faults }) => faults.length > 0).length;
      const isShort = made < LIMITS[tool].made * mine.length || wrong > LIMITS[tool].wrong * mine.length;
      if (set === 'judge' && isShort) shortcomings.push(`${tool}: ${made} made, ${wrong} wrong of ${mine.length}`);
      return { tool, set, n: mine.length, made, 'wrong but shown': wrong, refused: mine.length - made - wrong };
    }),
  );
  console.log('people: real ones in halves that tune and judge, and the drawn samples');
  console.table(table.filter(({ n }) => n > 0));
  return shortcomings;
}
