// What a prompt asks for, apart from the place itself: colours, the side of the light, the mood.
import { findColours, type NamedColour } from './colours.ts';
import { readWords, type Words } from './words.ts';

export interface Brief {
  words: Words;
  /** Colours for the wall and for the surface the product stands on. */
  wall?: string;
  wallName?: string;
  surface?: string;
  /** The wall is asked for by colour alone ("navy background"): no furnished set. */
  wantsPlainWall: boolean;
  lightFrom?: 'left' | 'right';
  /** Factor on the scene's light: moody 0.75, airy 1.15. */
  exposure: number;
  tint?: string;
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
const DARKER = ['moody', 'dramatic', 'dark', 'mysterious', 'noir'];
const LIGHTER = ['bright', 'airy', 'sunny', 'fresh'];
const SUNSET = ['sunset', 'golden hour', 'dusk', 'sunrise', 'dawn'];

export function readBrief(prompt: string, negativePrompt: string): Brief {
  const words = readWords(prompt, negativePrompt);
  const { stems } = words;
  const brief: Brief = { words, wantsPlainWall: false, exposure: 1 };
  for (const colour of findColours(stems)) placeColour(brief, colour, stems[colour.at + colour.words]);
  const side = /\b(?:light|sun|lit|window)[a-z ]{0,16} (left|right)\b|\b(left|right) (?:side )?light/.exec(
    stems.join(' '),
  );
  const lightFrom = side?.[1] ?? side?.[2];
  if (lightFrom === 'left' || lightFrom === 'right') brief.lightFrom = lightFrom;
  if (DARKER.some((word) => stems.includes(word))) brief.exposure = 0.82;
  if (LIGHTER.some((word) => stems.includes(word))) brief.exposure = 1.08;
  if (SUNSET.some((phrase) => ` ${stems.join(' ')} `.includes(` ${phrase} `))) brief.tint = '#ffd9ae';
  return brief;
}

function placeColour(brief: Brief, colour: NamedColour, noun: string | undefined): void {
  if (noun !== undefined && PROPS.includes(noun)) return;
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
