/**
 * Prints how often headshots and dress changes of ten varied people are refused, or wrong but shown. Odd seeds judge,
 * even ones tune. With a folder as argument, the photos and what came of them go there, to be looked at.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPicture } from '../src/pixels/decode.ts';
import type { PictureFile } from '../src/pixels/encode.ts';
import { FieldProblem } from '../src/problem.ts';
import { askSkill } from './ask-skill.ts';
import { findDressFaults, findHeadshotFaults } from './people-faults.ts';
import {
  DRESS_TRAPS,
  DRESSED,
  FACE_TRAPS,
  trapFace,
  USERS,
  varyDressed,
  varyFace,
  type Half,
} from './people-varied.ts';
import { GARMENTS, portraitPath, readTruth, samplePath } from './people.ts';

const APPS = { headshot: 'headshot', dress: 'try-on' };
const SEEDS = [1, 2];

type Trial = {
  tool: keyof typeof APPS;
  seed: number;
  name: string;
  pictures: Record<string, string>;
  /** What no good result can be made of: anything but a refusal is wrong. */
  trap?: string;
  check?: (file: string) => Promise<string[]>;
  hair?: string;
};

type Outcome = Trial & {
  half: Half;
  refusal?: string;
  faults: string[];
  cpuMs: number;
};

const shown = process.argv[2];
const only = process.argv[3];
const folder = shown ?? (await mkdtemp(join(tmpdir(), 'people-judge-')));
await mkdir(folder, { recursive: true });
const outcomes: Outcome[] = [];
if (only !== 'dress') await judgeHeadshots();
if (only !== 'headshot') await judgeDresses();
report();
if (shown === undefined) await rm(folder, { recursive: true, force: true });

async function judgeHeadshots(): Promise<void> {
  const traps = Object.keys(FACE_TRAPS);
  for (const n of USERS.keys()) {
    for (const seed of SEEDS) {
      const photo = await varyFace(n, seed, join(folder, `face-${n}-${seed}.jpg`));
      const hair = (n + (seed >> 1)) % 2 === 0 ? 'user_hair' : 'target_hair';
      const portrait = 1 + ((3 * n + 2 * seed) % 7);
      const check = async (file: string) => {
        const files = [file, photo, portraitPath(portrait)];
        const [result, own, stock] = await Promise.all(files.map((path) => readPicture(path, 'picture')));
        return findHeadshotFaults(result!, own!, stock!);
      };
      const shot = { face_image_0: photo, target_image: portraitPath(portrait) };
      const name = `face-${n}-${seed}-on-${portrait}-${hair}`;
      await run({ tool: 'headshot', seed, name, pictures: shot, check, hair });
      const trap = traps[(n + seed) % traps.length]!;
      const hidden = await trapFace(photo, trap, join(folder, `face-${n}-${seed}-trap.jpg`));
      const pictures = { ...shot, face_image_0: hidden };
      await run({ tool: 'headshot', seed, name: `face-${n}-${seed} ${trap}`, pictures, trap, hair });
    }
  }
}

async function judgeDresses(): Promise<void> {
  const traps = Object.keys(DRESS_TRAPS);
  for (const n of DRESSED.keys()) {
    for (const seed of SEEDS) {
      const photo = join(folder, `dressed-${n}-${seed}.jpg`);
      const { top, figure } = await varyDressed(n, seed, photo);
      const name = GARMENTS[(n + seed + (seed >> 1)) % GARMENTS.length]!;
      const garment = samplePath(`garment-${name}`);
      const check = async (file: string) => {
        const [old, flat] = [await readPicture(photo, 'photo'), await readPicture(garment, 'flat')];
        const truth = { oldTop: top, figure, garment: await readTruth(`garment-${name}`, flat) };
        return findDressFaults(await readPicture(file, 'result'), {
          ...truth,
          old,
          flat,
          isStriped: name === 'striped',
          isWornOpen: name === 'jacket',
        });
      };
      const pictures = { model_image: photo, garment_image: garment };
      await run({ tool: 'dress', seed, name: `dressed-${n}-${seed}-${name}`, pictures, check });
      const trap = traps[(n + seed) % traps.length]!;
      const trapped = { ...pictures, model_image: join(folder, `dressed-${n}-${seed}-trap.jpg`) };
      await varyDressed(n, seed, trapped.model_image, trap);
      await run({ tool: 'dress', seed, name: `dressed-${n}-${seed} ${trap}`, pictures: trapped, trap });
    }
  }
}

async function run(trial: Trial): Promise<void> {
  const before = process.cpuUsage();
  const cost = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const half = trial.seed % 2 === 0 ? 'tune' : 'judge';
  const note = (outcome: Pick<Outcome, 'faults' | 'cpuMs'> & { refusal?: string }) => {
    outcomes.push({ ...trial, half, ...outcome });
    const says = outcome.refusal === undefined ? outcome.faults.join(', ') || 'good' : `refused: ${outcome.refusal}`;
    if (shown !== undefined) console.log(`${half} ${trial.name}: ${says}`);
  };
  try {
    const input = trial.hair === undefined ? {} : { workflow_type: trial.hair };
    const result = await askSkill(APPS[trial.tool], trial.pictures, folder, input);
    const cpuMs = cost();
    const file = ((result['image'] ?? (result['images'] as PictureFile[])[0]) as PictureFile).local_path;
    if (shown !== undefined) await copyFile(file, join(folder, `${trial.name.replaceAll(' ', '-')}.png`));
    note({ faults: trial.trap === undefined ? ((await trial.check?.(file)) ?? []) : [`shown: ${trial.trap}`], cpuMs });
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    note({ refusal: error.message, faults: [], cpuMs: cost() });
  }
}

function report(): void {
  const share = (some: Outcome[], all: Outcome[]) => `${some.length} of ${all.length}`;
  const rows = Object.keys(APPS).flatMap((tool) =>
    (['tune', 'judge'] as const).map((half) => {
      const mine = outcomes.filter((outcome) => outcome.tool === tool && outcome.half === half);
      const plain = mine.filter(({ trap }) => trap === undefined);
      const times = plain.filter(({ refusal }) => refusal === undefined).map(({ cpuMs }) => cpuMs);
      return {
        tool: tool,
        half,
        refused: share(
          plain.filter(({ refusal }) => refusal !== undefined),
          plain,
        ),
        'wrong but shown': share(
          mine.filter(({ faults }) => faults.length > 0),
          mine,
        ),
        'traps refused': share(
          mine.filter(({ trap, refusal }) => trap && refusal),
          mine.filter(({ trap }) => trap),
        ),
        'cpu s': (times.sort((a, b) => a - b)[times.length >> 1] ?? 0) / 1000,
      };
    }),
  );
  console.table(rows);
}
