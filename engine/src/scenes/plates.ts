/** The empty scenes (plates): their data, ranking by words, and their pictures. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { once } from '../once.ts';
import { readChannel, type Plane, type Rgb } from '../pixels/plane.ts';
import type { Brief, BriefTerm } from '../words/brief.ts';
import { readTerms } from '../words/reader.ts';

export type Matrix = [number, number, number, number, number, number, number, number, number];

/** Meanings that select a plate, and their weight. */
type Phrase = { names: string[]; weight: number };

/** A plate; pixels refer to its 1536 px picture. */
export type Plate = {
  id: string;
  /** English words that select exactly this plate. */
  says: string;
  /** The camera is level with the product, or looks down on it. */
  view: 'eye' | 'above';
  stand: { x: number; y: number };
  /** Homography from metres on the surface to pixels, row-major. */
  floor: Matrix;
  light: {
    azimuthDeg: number;
    elevationDeg: number;
    softness: number;
    shadowStrength: number;
  };
  reflection: { strength: number; blurPx: number };
  tint: { wall: boolean; surface: boolean };
  /** Names of all meanings that select the plate, and of what it shows. */
  words: ReadonlySet<string>;
  /** The first of them, the plate's name: a colour among them is the plate's own. */
  nameWords: string[];
  shows: ReadonlySet<string>;
  phrases: Phrase[];
  seen: { wall?: string; surface?: string };
  files: { image: string; mask: string };
  /** True if flipped horizontally: positions, light and pictures are mirrored. */
  isMirrored: boolean;
};

/** The part of a plate that shadows depend on. */
export type Floor = Pick<Plate, 'view' | 'floor' | 'light'>;

/** A plate's decoded pictures: sRGB bytes, and masks R = wall, G = surface, B = where products can stand. */
export type PlatePictures = { rgb: Buffer; mask: Buffer };

export const PLATE_SIZE = 1536;
export const MASK_SIZE = 768;
const FOLDER = new URL('../../assets/plates/', import.meta.url);
/** The default plate of each view, for unknown words. */
export const STANDARD_PLATES: Record<Plate['view'], string> = { eye: 'studio-sweep', above: 'flat-paper' };
const NAME_WORDS = 3;
const MOOD_SHARE = 0.35;
const ASIDE_SHARE = 0.45;
const INVISIBLE_SHARE = 0.75; // weight of a word that selects the plate without being visible in it
const SURFACE_SHARE = 0.6; // weight of a surface: every room has a table, so its material matters more
const KEEP_DECODED = 3; // plates, 9 MB each

/** A plate in its file's format. */
type Entry = Pick<Plate, 'id' | 'says' | 'stand' | 'light' | 'reflection' | 'seen' | 'files'> & {
  view?: Plate['view'];
  words: string[];
  shows: string[];
  floor: { homography: number[][] };
  tint: Plate['tint'] & { allowed: boolean };
};

let plates: Plate[] | undefined;

/** Every plate in the order of the scene picker, loaded once with their words. */
export function listPlates(): Plate[] {
  const read = () => JSON.parse(readFileSync(new URL('plates.json', FOLDER), 'utf8')) as { plates: Entry[] };
  return (plates ??= read().plates.map(makePlate));
}

function namesOf(phrase: string): string[] {
  return readTerms(phrase, 'scene', ['en']).terms.map(({ name }) => name);
}

/** Words are sorted by strength; longer phrases weigh more and are tried first. */
function weighWords(words: string[], shows: ReadonlySet<string>): Phrase[] {
  const known = new Set<string>();
  return words
    .map((word, n) => {
      const { terms } = readTerms(word, 'scene', ['en']);
      const isLight = terms.every(({ kind }) => kind === 'light'); // "a wooden table at golden hour" is no desert
      const isVisible = terms.every(({ kind, name }) => kind !== 'thing' || shows.has(name));
      const share = (isLight ? MOOD_SHARE : 1) * (isVisible ? 1 : INVISIBLE_SHARE);
      const length = word.split(' ').length;
      return {
        names: terms.map(({ name }) => name),
        weight: share * (1.5 - n / words.length) * (1 + 0.8 * (length - 1)),
      };
    })
    .filter(({ names }) => names.length > 0 && !known.has(names.join()) && known.add(names.join()))
    .sort((a, b) => b.names.length - a.names.length || b.weight - a.weight);
}

function makePlate({ view = 'eye', words, shows, floor, tint, ...entry }: Entry): Plate {
  const own = new Set(words.flatMap(namesOf));
  const shown = new Set(shows.flatMap(namesOf));
  return {
    ...entry,
    view,
    isMirrored: false,
    floor: floor.homography.flat() as Matrix,
    tint: { wall: tint.allowed && tint.wall, surface: tint.allowed && tint.surface },
    words: own,
    nameWords: [...own].slice(0, NAME_WORDS),
    shows: shown,
    phrases: weighWords(words, shown),
  };
}

/** True if the set is only a wall and a floor, close behind the product. */
export const isPlainStudio = ({ id, view }: Plate): boolean => id === STANDARD_PLATES[view];

export function getPlate(id: string): Plate {
  const plate = listPlates().find((one) => one.id === id);
  if (!plate) throw new Error(`no plate ${id}`);
  return plate;
}

/** Plates of one view that match the words, best first, with scores; empty if no word is known. */
export function rankPlates({ terms, wantsPlainWall }: Brief, view: Plate['view']): { id: string; score: number }[] {
  const wanted = terms.filter(({ isUnwanted }) => !isUnwanted);
  const unwanted = terms.filter(({ isUnwanted }) => isUnwanted);
  const candidates = listPlates().filter((plate) => plate.view === view);
  const ranked = candidates.map(({ id, phrases }) => {
    const plain = wantsPlainWall && id === STANDARD_PLATES[view] ? 1.6 : 0;
    return { id, score: scoreTerms(wanted, phrases) + plain - scoreTerms(unwanted, phrases) };
  });
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}

function scoreTerms(terms: BriefTerm[], phrases: Phrase[]): number {
  const left = terms.map(({ name }) => name);
  let score = 0;
  for (const { names, weight } of phrases) {
    for (let at = 0; at + names.length <= left.length; at += 1) {
      const joined = left.slice(at, at + names.length).join();
      if (joined !== names.join() && joined !== names.toReversed().join()) continue; // "marmol negro" is black marble
      if (names.length === 1 && terms[at]!.isOfThing) continue;
      const isSurface = names.length === 1 && terms[at]!.kind === 'surface';
      left.fill('', at, at + names.length); // a word counts once, within its longest phrase
      const share = (terms[at]!.isAside ? ASIDE_SHARE : 1) * (isSurface ? SURFACE_SHARE : 1);
      score += share * weight * (1 - (0.3 * at) / Math.max(1, terms.length)); // earlier words weigh more
    }
  }
  return score;
}

/** Flips a plate horizontally. */
export function mirrorPlate(plate: Plate): Plate {
  const [a, b, c, d, e, f, g, h, k] = plate.floor;
  return {
    ...plate,
    isMirrored: !plate.isMirrored,
    stand: { ...plate.stand, x: PLATE_SIZE - plate.stand.x },
    floor: [PLATE_SIZE * -g + a, PLATE_SIZE * h - b, PLATE_SIZE * k - c, -d, e, f, -g, h, k],
    light: { ...plate.light, azimuthDeg: -plate.light.azimuthDeg },
  };
}

/** The mask's blue channel, 0..1: where products can stand. */
export function readGround({ mask }: Pick<PlatePictures, 'mask'>): Plane {
  return readShare({ width: MASK_SIZE, height: MASK_SIZE, data: mask }, 2);
}

/** A channel of a mask, 0..1. */
export function readShare(mask: Rgb, channel: number): Plane {
  const plane = readChannel(mask, channel);
  return { ...plane, data: plane.data.map((value) => value / 255) };
}

const decoded = new Map<string, () => Promise<PlatePictures>>();

export function loadPlate({ id, isMirrored }: Pick<Plate, 'id' | 'isMirrored'>): Promise<PlatePictures> {
  const key = `${id} ${isMirrored}`;
  const pictures = decoded.get(key) ?? once(() => decodePlate(id, isMirrored));
  decoded.set(key, pictures);
  for (const oldest of decoded.keys()) if (decoded.size > KEEP_DECODED) decoded.delete(oldest);
  return pictures();
}

async function decodePlate(id: string, isMirrored: boolean): Promise<PlatePictures> {
  const { files } = getPlate(id);
  const open = (file: string) =>
    sharp(fileURLToPath(new URL(file, FOLDER)))
      .flop(isMirrored)
      .removeAlpha();
  const rgb = await open(files.image).raw().toBuffer();
  return { rgb, mask: await open(files.mask).toColourspace('srgb').raw().toBuffer() };
}
