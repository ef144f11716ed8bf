// The empty scenes: their data, choosing one by words, and their pictures.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { isMood, isSurface, type Brief } from './brief.ts';
import { findPhrase, stem, toStems, type Words } from './words.ts';

export type Matrix = [number, number, number, number, number, number, number, number, number];

/** One plate as composing needs it; pixels are of the 1536 px picture. */
export interface Plate {
  id: string;
  stand: { x: number; y: number; maxWidth: number; maxHeight: number };
  camera: { focalPx: number; pitchDeg: number };
  /** Metres on the surface to pixels, row by row. */
  floor: Matrix;
  pxPerMetre: number;
  light: { azimuthDeg: number; elevationDeg: number; softness: number; ambient: string; shadowStrength: number };
  reflection: { strength: number; blurPx: number };
  tint: { wall: boolean; surface: boolean };
  /** Words for colours that the plate has as it is. */
  ownColours: string[];
  seen: { wall?: string; surface?: string };
}

/** A plate's pictures, decoded: sRGB bytes, the masks R = wall, G = surface, and the layer in front if it has one. */
export interface PlatePictures {
  rgb: Buffer;
  mask: Buffer;
  front?: Buffer;
}

export const PLATE_SIZE = 1536;
export const MASK_SIZE = 768;
const FOLDER = new URL('../../assets/plates/', import.meta.url);
const OWN_COLOURS = 3; // a plate's first words name it: its colour is among them if it has one
const LEAST_SCORE = 0.25;
const MOOD_SHARE = 0.35;
const ASIDE_SHARE = 0.45;
const SURFACE_SHARE = 0.6; // every room has a table
const MADE_SHARE = 0.3;
/** What a surface is made of says more than that it is a table. */
const MATERIALS = [
  'marble',
  'stone',
  'granite',
  'slate',
  'concrete',
  'cement',
  'terracotta',
  'glass',
  'metal',
  'steel',
];
const KEEP_DECODED = 3; // 9 MB each

interface Entry {
  id: string;
  words: string[];
  stand: Plate['stand'];
  camera: Plate['camera'];
  floor: { homography: number[][] };
  pxPerMetreAtStand: number;
  light: Omit<Plate['light'], 'ambient'> & { ambientColor: string };
  reflection: Plate['reflection'];
  tint: Plate['tint'] & { allowed: boolean };
  seen: Plate['seen'];
  files: { image: string; mask: string; front?: string };
}

interface Shelf {
  entries: Entry[];
  phrases: Map<string, { stems: string[]; weight: number }[]>;
  standard: string;
}

let shelf: Shelf | undefined;

function openShelf(): Shelf {
  if (shelf) return shelf;
  const file = JSON.parse(readFileSync(new URL('plates.json', FOLDER), 'utf8')) as { plates: Entry[]; default: string };
  const phrases = new Map(file.plates.map((entry) => [entry.id, weighWords(entry.words)]));
  shelf = { entries: file.plates, phrases, standard: file.default };
  return shelf;
}

/** Words come strongest first; longer phrases count more and are tried first. */
function weighWords(words: string[]) {
  return words
    .map((word, n) => {
      const stems = toStems(word);
      const share = isMood(stems) ? MOOD_SHARE : 1; // "a wooden table at golden hour" is no desert
      return { stems, weight: share * (1.5 - n / words.length) * (1 + 0.8 * (stems.length - 1)) };
    })
    .sort((a, b) => b.stems.length - a.stems.length || b.weight - a.weight);
}

export function plateIds(): string[] {
  return openShelf().entries.map((entry) => entry.id);
}

export function standardPlateId(): string {
  return openShelf().standard;
}

export function getPlate(id: string): Plate {
  const entry = openShelf().entries.find((candidate) => candidate.id === id);
  if (!entry) throw new Error(`no plate ${id}`);
  const { ambientColor, ...light } = entry.light;
  return {
    id,
    stand: entry.stand,
    camera: entry.camera,
    floor: entry.floor.homography.flat() as Matrix,
    pxPerMetre: entry.pxPerMetreAtStand,
    light: { ...light, ambient: ambientColor },
    reflection: entry.reflection,
    tint: { wall: entry.tint.allowed && entry.tint.wall, surface: entry.tint.allowed && entry.tint.surface },
    ownColours: entry.words.slice(0, OWN_COLOURS).map(stem),
    seen: entry.seen,
  };
}

/** Plates that the words speak of, best first, with their scores; empty when no word is known. */
export function rankPlates({ words, wantsPlainWall }: Brief): { id: string; score: number }[] {
  const { entries, phrases, standard } = openShelf();
  const ranked = entries.map(({ id }, order) => {
    const own = phrases.get(id) ?? [];
    const plain = wantsPlainWall && id === standard ? 1.6 : 0;
    const score = scoreWords(words, own) + plain - scoreWords({ stems: words.unwanted }, own);
    return { id, score, order };
  });
  return ranked.filter(({ score }) => score > LEAST_SCORE).sort((a, b) => b.score - a.score || a.order - b.order);
}

function scoreWords(
  { stems, asides }: Pick<Words, 'stems'> & Partial<Words>,
  phrases: { stems: string[]; weight: number }[],
): number {
  const left = [...stems];
  let score = 0;
  for (const phrase of phrases) {
    for (const at of findPhrase(left, phrase.stems)) {
      left.fill('', at, at + phrase.stems.length); // a word counts once, in its longest phrase
      const share = (asides?.[at] ? ASIDE_SHARE : 1) * shareOfSurface(phrase.stems, stems[at - 1] ?? '');
      score += share * phrase.weight * (1 - (0.3 * at) / Math.max(1, stems.length)); // earlier words weigh more
    }
  }
  return score;
}

/** "a stone table" is a matter of stone. */
function shareOfSurface(phrase: string[], before: string): number {
  if (!isSurface(phrase)) return 1;
  return MATERIALS.includes(before) ? MADE_SHARE : SURFACE_SHARE;
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

async function decodePlate(id: string): Promise<PlatePictures> {
  const entry = openShelf().entries.find((candidate) => candidate.id === id);
  if (!entry) throw new Error(`no plate ${id}`);
  const open = (name: string) => sharp(fileURLToPath(new URL(name, FOLDER)));
  const rgb = await open(entry.files.image).removeAlpha().raw().toBuffer();
  const mask = await open(entry.files.mask).removeAlpha().toColourspace('srgb').raw().toBuffer();
  if (!entry.files.front) return { rgb, mask };
  const front = await open(entry.files.front).resize(PLATE_SIZE, PLATE_SIZE).ensureAlpha().raw().toBuffer();
  return { rgb, mask, front };
}
