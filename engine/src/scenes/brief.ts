// What a prompt asks for, apart from the place itself: colours, the side of the light, the mood.
import { findColours, type NamedColour } from './colours.ts';
import { readWords, type Words } from './words.ts';

/** What the words do to the light of the scene. */
export interface Mood {
  /** Factor on the linear light. */
  exposure: number;
  /** Colour of the light, sRGB. */
  tint?: string;
  /** 0..1: how dark it gets away from the product. */
  pool: number;
}

export interface Brief {
  words: Words;
  /** Colours for the wall and for the surface the product stands on. */
  wall?: string;
  wallName?: string;
  surface?: string;
  /** The wall is asked for by colour alone ("navy background"): no furnished set. */
  wantsPlainWall: boolean;
  lightFrom?: 'left' | 'right';
  mood: Mood;
}

const WALLS = [
  'wall',
  'background',
  'backdrop',
  'studio',
  'room',
  'paper',
  'curtain',
  'arch',
  'gradient',
  'setting',
  'scene',
  'plaster',
];
const PLAIN_WALLS = ['background', 'backdrop', 'studio', 'wall'];
const SURFACES = [
  'table',
  'floor',
  'podium',
  'pedestal',
  'surface',
  'counter',
  'countertop',
  'desk',
  'tabletop',
  'plinth',
  'block',
  'cloth',
];
const PLAIN_SURFACES = ['table', 'tabletop', 'floor', 'surface', 'countertop'];
/** Things whose colour is their own affair: "pink roses" do not make a pink wall. */
const PROPS = [
  'leaf',
  'flower',
  'rose',
  'petal',
  'blossom',
  'sky',
  'cloud',
  'grass',
  'tree',
  'plant',
  'light',
  'accent',
  'vein',
  'hour',
  'bokeh',
  'sea',
  'ocean',
  'water',
  'sand',
  'marble',
  'stone',
  'wood',
  'brick',
  'tile',
  'sofa',
  'pumpkin',
  'ornament',
  'detail',
  'star',
  'neon',
  'snow',
  'lemon',
  'fruit',
  'forest',
  'sun',
  'mountain',
  'candle',
  'towel',
  'glow',
  'lamp',
  'tone',
  'season',
  'shadow',
];
/** The first row with a word of the prompt decides; phrases as they stand, in stems. */
const MOODS: [phrases: string[], Mood][] = [
  [['golden hour', 'sunset', 'sunrise', 'dusk', 'dawn'], { exposure: 0.97, tint: '#ffcf9c', pool: 0.15 }],
  [['dramatic', 'moody', 'mysterious', 'noir', 'low key', 'chiaroscuro', 'spotlight'], { exposure: 0.8, pool: 0.8 }],
  [['night', 'midnight', 'nocturnal', 'evening'], { exposure: 0.55, tint: '#b4c4f2', pool: 0.45 }],
  [['dark'], { exposure: 0.8, pool: 0.4 }],
  [['airy', 'bright', 'sunny', 'fresh', 'high key', 'luminou'], { exposure: 1.12, pool: 0 }],
];
/** Light that any place may have; it changes no picture. */
const LIGHTS = [
  'morning',
  'afternoon',
  'light',
  'sunlight',
  'daylight',
  'soft',
  'soft light',
  'hard light',
  'warm',
  'cool',
];
const NO_MOOD: Mood = { exposure: 1, pool: 0 };

export function readBrief(prompt: string, negativePrompt: string): Brief {
  const words = readWords(prompt, negativePrompt);
  const { stems } = words;
  const brief: Brief = { words, wantsPlainWall: false, mood: findMood(stems) };
  for (const colour of findColours(stems)) placeColour(brief, colour, stems[colour.at + colour.words]);
  const side = /\b(?:light|sun|lit|window)[a-z ]{0,16} (left|right)\b|\b(left|right) (?:side )?light/.exec(
    stems.join(' '),
  );
  const lightFrom = side?.[1] ?? side?.[2];
  if (lightFrom === 'left' || lightFrom === 'right') brief.lightFrom = lightFrom;
  return brief;
}

/** Whether these stems speak of light and not of a place. */
export function isMood(stems: string[]): boolean {
  const phrase = stems.join(' ');
  return LIGHTS.includes(phrase) || MOODS.some(([phrases]) => phrases.includes(phrase));
}

/** Whether these stems are no more than a thing to stand on. */
export function isSurface(stems: string[]): boolean {
  return stems.length === 1 && PLAIN_SURFACES.includes(stems[0]!);
}

function findMood(stems: string[]): Mood {
  const text = ` ${stems.join(' ')} `;
  return MOODS.find(([phrases]) => phrases.some((phrase) => text.includes(` ${phrase} `)))?.[1] ?? NO_MOOD;
}

function placeColour(brief: Brief, colour: NamedColour, noun: string | undefined): void {
  if (noun !== undefined && PROPS.includes(noun)) return;
  const isOfPlace = noun !== undefined && [...WALLS, ...SURFACES, 'colour'].includes(noun);
  if (colour.isThing && !isOfPlace) return;
  if (noun !== undefined && SURFACES.includes(noun)) {
    brief.surface ??= colour.hex;
    return;
  }
  if (noun !== undefined && WALLS.includes(noun)) {
    brief.wantsPlainWall ||= PLAIN_WALLS.includes(noun);
    setWall(brief, colour);
    return;
  }
  if (brief.wall === undefined) setWall(brief, colour);
  else brief.surface ??= colour.hex;
}

function setWall(brief: Brief, { hex, name }: NamedColour): void {
  brief.wall = hex;
  brief.wallName = name;
}
