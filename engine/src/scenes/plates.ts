/** The empty scenes: their data, choosing one by words, and their pictures. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { makePlane, type Plane } from '../pixels/plane.ts';
import type { Brief, BriefTerm } from './brief.ts';
import { readTerms } from './reader.ts';
import { openLexicons, teach } from './vocabulary.ts';

export type Matrix = [number, number, number, number, number, number, number, number, number];

/** One plate as composing needs it; pixels are of the 1536 px picture. */
export type Plate = {
  id: string;
  /** From where the camera looks: at the height of the product, or down on it. */
  view: 'eye' | 'above';
  stand: { x: number; y: number };
  /** Metres on the surface to pixels, row by row. */
  floor: Matrix;
  light: { azimuthDeg: number; elevationDeg: number; softness: number; ambient: string; shadowStrength: number };
  reflection: { strength: number; blurPx: number };
  tint: { wall: boolean; surface: boolean };
  /** Names of all that leads to the plate, and of what can be seen in it. */
  words: ReadonlySet<string>;
  /** The first of them, which name the plate: a colour among them is its own. */
  nameWords: string[];
  shows: ReadonlySet<string>;
  seen: { wall?: string; surface?: string };
};

/** A plate's pictures, decoded: sRGB bytes, the masks R = wall, G = surface, and the layer in front if it has one. */
export type PlatePictures = {
  rgb: Buffer;
  mask: Buffer;
  front?: Buffer;
};

export const PLATE_SIZE = 1536;
export const MASK_SIZE = 768;
const FOLDER = new URL('../../assets/plates/', import.meta.url);
const STANDARD_ABOVE = 'flat-paper';
const NAME_WORDS = 3;
const LEAST_SCORE = 0.25;
const MOOD_SHARE = 0.35;
const ASIDE_SHARE = 0.45;
const UNSEEN_SHARE = 0.75; // a word that only leads to the plate counts less than one that the plate shows
const SURFACE_SHARE = 0.6; // every room has a table
const MADE_SHARE = 0.3;
/** What a surface is made of says more than that it is a table. */
const MATERIALS = ['marble', 'stone', 'granite', 'slate', 'concrete', 'terracotta', 'metal'];
const PLAIN_SURFACES = ['table', 'floor', 'surface', 'counter'];
const KEEP_DECODED = 3; // 9 MB each

type Entry = {
  id: string;
  /** English words that lead to exactly this plate. */
  says: string;
  words: string[];
  shows: string[];
  view?: 'above';
  stand: Plate['stand'];
  floor: { homography: number[][] };
  light: Omit<Plate['light'], 'ambient'> & { ambientColor: string };
  reflection: Plate['reflection'];
  tint: Plate['tint'] & { allowed: boolean };
  seen: Plate['seen'];
  files: { image: string; mask: string; front?: string };
};

/** Names of meanings that lead to a plate, and how much they say for it. */
type Phrase = { names: string[]; weight: number };

type Shelf = { entries: Entry[]; phrases: Map<string, Phrase[]>; plates: Map<string, Plate>; standard: Standard };

/** The plate for words that nobody knows, for each view. */
type Standard = Record<Plate['view'], string>;

let shelf: Shelf | undefined;

/** The plates and their words, read once; from then on the reader of prompts knows these words. */
export function openShelf(): Shelf {
  if (shelf) return shelf;
  const file = JSON.parse(readFileSync(new URL('plates.json', FOLDER), 'utf8')) as { plates: Entry[]; default: string };
  const english = openLexicons().get('en')!;
  for (const phrase of file.plates.flatMap(({ words, shows }) => [...words, ...shows])) {
    for (const { kind, name } of readTerms(phrase, ['en']).terms) {
      if (kind === 'unknown') teach(english, name, { kind: 'thing', name: '', value: '' });
    }
  }
  const plates = new Map(file.plates.map((entry) => [entry.id, makePlate(entry)]));
  const phrases = new Map(file.plates.map((entry) => [entry.id, weighWords(entry.words, plates.get(entry.id)!.shows)]));
  shelf = { entries: file.plates, phrases, plates, standard: { eye: file.default, above: STANDARD_ABOVE } };
  return shelf;
}

function namesOf(phrase: string): string[] {
  return readTerms(phrase, ['en']).terms.map(({ name }) => name);
}

/** Words come strongest first; longer phrases count more and are tried first. */
function weighWords(words: string[], shows: ReadonlySet<string>): Phrase[] {
  const known = new Set<string>();
  return words
    .map((word, n) => {
      const { terms } = readTerms(word, ['en']);
      const isLight = terms.every(({ kind }) => kind === 'light'); // "a wooden table at golden hour" is no desert
      const isSeen = terms.every(({ kind, name }) => kind !== 'thing' || shows.has(name));
      const share = (isLight ? MOOD_SHARE : 1) * (isSeen ? 1 : UNSEEN_SHARE);
      const length = word.split(' ').length;
      return {
        names: terms.map(({ name }) => name),
        weight: share * (1.5 - n / words.length) * (1 + 0.8 * (length - 1)),
      };
    })
    .filter(({ names }) => names.length > 0 && !known.has(names.join()) && known.add(names.join()))
    .sort((a, b) => b.names.length - a.names.length || b.weight - a.weight);
}

function makePlate(entry: Entry): Plate {
  const { ambientColor, ...light } = entry.light;
  const own = new Set(entry.words.flatMap(namesOf));
  return {
    id: entry.id,
    view: entry.view ?? 'eye',
    stand: entry.stand,
    floor: entry.floor.homography.flat() as Matrix,
    light: { ...light, ambient: ambientColor },
    reflection: entry.reflection,
    tint: { wall: entry.tint.allowed && entry.tint.wall, surface: entry.tint.allowed && entry.tint.surface },
    words: own,
    nameWords: [...own].slice(0, NAME_WORDS),
    shows: new Set(entry.shows.flatMap(namesOf)),
    seen: entry.seen,
  };
}

/** Every plate with English words that lead to it, in the order in which a person is offered them. */
export function listPlates(): { id: string; words: string }[] {
  return openShelf().entries.map(({ id, says }) => ({ id, words: says }));
}

export function plateIds(): string[] {
  return openShelf().entries.map(({ id }) => id);
}

export function standardPlateId(view: Plate['view']): string {
  return openShelf().standard[view];
}

/** Whether the set is nothing but a wall and a floor, close behind what stands there. */
export const isPlainStudio = ({ id, view }: Plate): boolean => id === standardPlateId(view);

export function getPlate(id: string): Plate {
  const plate = openShelf().plates.get(id);
  if (!plate) throw new Error(`no plate ${id}`);
  return plate;
}

/** Plates of one view that the words speak of, best first, with their scores; empty when no word is known. */
export function rankPlates({ terms, wantsPlainWall }: Brief, view: Plate['view']): { id: string; score: number }[] {
  const { entries, phrases, standard } = openShelf();
  const wanted = terms.filter(({ isUnwanted }) => !isUnwanted);
  const unwanted = terms.filter(({ isUnwanted }) => isUnwanted);
  const seen = entries.filter((entry) => (entry.view ?? 'eye') === view);
  const ranked = seen.map(({ id }, order) => {
    const own = phrases.get(id) ?? [];
    const plain = wantsPlainWall && id === standard[view] ? 1.6 : 0;
    return { id, score: scoreTerms(wanted, own) + plain - scoreTerms(unwanted, own), order };
  });
  return ranked.filter(({ score }) => score > LEAST_SCORE).sort((a, b) => b.score - a.score || a.order - b.order);
}

function scoreTerms(terms: BriefTerm[], phrases: Phrase[]): number {
  const left = terms.map(({ name }) => name);
  let score = 0;
  for (const { names, weight } of phrases) {
    for (let at = 0; at + names.length <= left.length; at += 1) {
      if (!isAt(left, names, at) && !isAt(left, names.toReversed(), at)) continue; // "marmol negro" is black marble
      if (names.length === 1 && terms[at]!.isOfThing) continue;
      left.fill('', at, at + names.length); // a word counts once, in its longest phrase
      const share = (terms[at]!.isAside ? ASIDE_SHARE : 1) * shareOfSurface(names, terms, at);
      score += share * weight * (1 - (0.3 * at) / Math.max(1, terms.length)); // earlier words weigh more
    }
  }
  return score;
}

function isAt(row: string[], names: string[], at: number): boolean {
  return names.every((name, n) => row[at + n] === name);
}

/** "a stone table" is a matter of stone. */
function shareOfSurface(names: string[], terms: BriefTerm[], at: number): number {
  if (names.length > 1 || !PLAIN_SURFACES.includes(names[0]!)) return 1;
  const beside = [terms[at - 1], terms[at + 1]].filter((term) => term?.run === terms[at]!.run);
  return beside.some((term) => term && MATERIALS.includes(term.name)) ? MADE_SHARE : SURFACE_SHARE;
}

/** The same set, seen in a mirror. */
export function mirrorPlate(plate: Plate): Plate {
  const [a, b, c, d, e, f, g, h, k] = plate.floor;
  return {
    ...plate,
    stand: { ...plate.stand, x: PLATE_SIZE - plate.stand.x },
    floor: [PLATE_SIZE * -g + a, PLATE_SIZE * h - b, PLATE_SIZE * k - c, -d, e, f, -g, h, k],
    light: { ...plate.light, azimuthDeg: -plate.light.azimuthDeg },
  };
}

/** The mask's G at its own size, 0..1: where things can stand. */
export function readSurface({ mask }: Pick<PlatePictures, 'mask'>, isMirrored: boolean): Plane {
  const out = makePlane({ width: MASK_SIZE, height: MASK_SIZE });
  for (let i = 0; i < out.data.length; i += 1) {
    const x = i % MASK_SIZE;
    out.data[isMirrored ? i - x + (MASK_SIZE - 1 - x) : i] = mask[i * 3 + 1]! / 255;
  }
  return out;
}

const decoded = new Map<string, Promise<PlatePictures>>();

export function loadPlate(id: string): Promise<PlatePictures> {
  const known = decoded.get(id);
  if (known) return known;
  const pictures = decodePlate(id);
  decoded.set(id, pictures);
  const oldest = [...decoded.keys()][0];
  if (decoded.size > KEEP_DECODED && oldest !== undefined) decoded.delete(oldest);
  return pictures;
}

/** The plate's picture as it lies on the disk: an own scene, so an unknown id is a fault of ours. */
export function platePath(id: string): string {
  return pathOf(getEntry(id).files.image);
}

function getEntry(id: string): Entry {
  const entry = openShelf().entries.find((candidate) => candidate.id === id);
  if (!entry) throw new Error(`no plate ${id}`);
  return entry;
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, FOLDER));
}

async function decodePlate(id: string): Promise<PlatePictures> {
  const entry = getEntry(id);
  const open = (name: string) => sharp(pathOf(name));
  const rgb = await open(entry.files.image).removeAlpha().raw().toBuffer();
  const mask = await open(entry.files.mask).removeAlpha().toColourspace('srgb').raw().toBuffer();
  if (!entry.files.front) return { rgb, mask };
  const front = await open(entry.files.front).resize(PLATE_SIZE, PLATE_SIZE).ensureAlpha().raw().toBuffer();
  return { rgb, mask, front };
}
