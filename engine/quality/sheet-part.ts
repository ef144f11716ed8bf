/** A process of the sheet: makes the pieces of work that it is told, one at a time, and says what came out. */
import { fileURLToPath } from 'node:url';
import { PHOTOS, showCutout } from './cutout-sheet.ts';
import { PEOPLE_SHOTS, showPerson } from './people.ts';
import { REAL_PHOTOS, showScenes } from './scene-sheet.ts';
import type { Sample } from './sheet-page.ts';
import { FILM_SHOTS, showFilm } from './film-sheet.ts';

export type FromPart =
  | { kind: 'ready' }
  | { kind: 'made'; piece: number; samples: Sample[] }
  | { kind: 'broke'; piece: string; why: string };

/** A product's cut-out with its scenes, one picture of a person, or one film; files go into `folder`. */
type Piece = {
  name: string;
  make: (folder: string) => Promise<Sample[]>;
};

/** All pieces in the order of the page. */
export function listWork(): Piece[] {
  const films = FILM_SHOTS.map((shot, n) => ({
    name: shot.join(': '),
    make: async (folder: string) => [await showFilm(folder, shot, `video-${n + 1}`)],
  }));
  const people = PEOPLE_SHOTS.map((shot, n) => ({
    name: shot.says,
    make: async (folder: string) => [await showPerson(folder, shot, `people-${n + 1}`)],
  }));
  return [
    ...[...PHOTOS, ...REAL_PHOTOS].map((name) => ({ name, make: (folder: string) => showProduct(folder, name) })),
    ...people,
    ...films,
  ];
}

async function showProduct(folder: string, name: string): Promise<Sample[]> {
  const { sample, cutout } = await showCutout(folder, name);
  return cutout ? [sample, ...(await showScenes(folder, name, cutout))] : [sample];
}

async function makePiece(folder: string, piece: number): Promise<FromPart> {
  const { name, make } = listWork()[piece] ?? {};
  try {
    return { kind: 'made', piece, samples: (await make?.(folder)) ?? [] };
  } catch (error) {
    return { kind: 'broke', piece: name ?? String(piece), why: error instanceof Error ? error.message : String(error) };
  }
}

function tell(message: FromPart): void {
  process.send?.(message);
}

const folder = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && folder !== undefined) {
  process.on('message', (piece: number) => void makePiece(folder, piece).then(tell));
  tell({ kind: 'ready' });
}
