/** Colour words of shops and paint charts, sRGB. */
const NAMES: Record<string, string> = {
  white: '#f4f3f0',
  ivory: '#f3ecdc',
  cream: '#f1e6cf',
  beige: '#d9c7a8',
  sand: '#d8c19a',
  tan: '#c8a477',
  taupe: '#a3917f',
  brown: '#7a5236',
  chocolate: '#4e3222',
  coffee: '#5a3d2b',
  camel: '#b98b56',
  caramel: '#b3743c',
  mocha: '#8a6a55',
  grey: '#9a9b9d',
  gray: '#9a9b9d',
  silver: '#bfc2c6',
  charcoal: '#3c3d41',
  graphite: '#45474b',
  anthracite: '#383b40',
  slate: '#5f6b76',
  black: '#17171a',
  red: '#b8282c',
  crimson: '#9f1d33',
  scarlet: '#c62a20',
  ruby: '#8f1836',
  burgundy: '#6a1f2e',
  maroon: '#651f24',
  wine: '#6b2233',
  cherry: '#9c1f34',
  brick: '#9c4a38',
  rust: '#a8532c',
  terracotta: '#c4703f',
  copper: '#b2693f',
  orange: '#e07b26',
  tangerine: '#ea8530',
  coral: '#ee7d68',
  salmon: '#ee9a85',
  peach: '#f4c3a0',
  apricot: '#f2b27a',
  amber: '#dc9427',
  mustard: '#cf9d2c',
  gold: '#c9a24a',
  golden: '#c9a24a',
  yellow: '#efca3e',
  lemon: '#f3e06b',
  butter: '#f3e3a5',
  champagne: '#e6d3b1',
  pink: '#eeb3bf',
  blush: '#ecc9c4',
  rose: '#dc9aa3',
  fuchsia: '#c82f83',
  magenta: '#bd2c82',
  raspberry: '#a8285a',
  mauve: '#b391ab',
  plum: '#642c56',
  purple: '#6b3f93',
  violet: '#7449a5',
  lavender: '#c0b3de',
  lilac: '#cab2da',
  indigo: '#363a7c',
  navy: '#1f2c4f',
  blue: '#3a6bb5',
  cobalt: '#2350a3',
  royal: '#2b4aa0',
  sky: '#a3cdea',
  azure: '#6fb0e0',
  cyan: '#3ab9cf',
  aqua: '#83d0d0',
  turquoise: '#36b0aa',
  teal: '#1f7377',
  petrol: '#1d5360',
  mint: '#bfe0cd',
  sage: '#a9b596',
  olive: '#77783f',
  khaki: '#a39a6a',
  moss: '#65713d',
  green: '#5b9357',
  emerald: '#1d7d57',
  forest: '#2d5339',
  lime: '#a9cb4a',
  pistachio: '#bfcf9b',
  eucalyptus: '#8fa898',
  jade: '#3f9a78',
};

/** Names that are things first: "in front of a forest" asks for no green wall, "a forest green wall" does. */
const THINGS = [
  'sand',
  'coffee',
  'chocolate',
  'caramel',
  'wine',
  'cherry',
  'brick',
  'lemon',
  'butter',
  'champagne',
].concat([
  'rose',
  'raspberry',
  'plum',
  'lavender',
  'sky',
  'moss',
  'forest',
  'eucalyptus',
  'slate',
  'camel',
  'salmon',
  'peach',
]);

/** Words that turn a colour before they name one ("dark green", "pastel blue"). */
const SHADES: Record<string, number> = {
  dark: 0.5,
  deep: 0.6,
  light: -0.45,
  pale: -0.55,
  pastel: -0.5,
  soft: -0.3,
  bright: -0.1,
};

export interface NamedColour {
  hex: string;
  name: string;
  /** The name may mean the thing itself. */
  isThing: boolean;
  /** Place of the colour word in the sentence and how many words belong to the name. */
  at: number;
  words: number;
}

export function findColours(stems: string[]): NamedColour[] {
  const found: NamedColour[] = [];
  for (let at = 0; at < stems.length; at += 1) {
    const hex = NAMES[stems[at]!];
    const isTurned = NAMES[stems[at - 1] ?? ''] !== undefined; // "pink rose", "blue sky": the second word is no colour
    if (!hex || isTurned) continue;
    const pair = isFamily(stems[at + 1] ?? ''); // "sage green", "navy blue"
    const shade = SHADES[stems[at - 1] ?? ''];
    const first = shade === undefined ? at : at - 1;
    found.push({
      name: stems[at]!,
      isThing: THINGS.includes(stems[at]!) && !pair,
      hex: shade === undefined ? hex : turn(hex, shade),
      at: first,
      words: at + (pair ? 2 : 1) - first,
    });
    if (pair) at += 1;
  }
  return found;
}

function isFamily(word: string): boolean {
  return ['green', 'blue', 'pink', 'red', 'grey', 'gray', 'yellow', 'brown', 'white', 'purple', 'orange'].includes(
    word,
  );
}

/** Positive shares go to black, negative ones to white. */
function turn(hex: string, share: number): string {
  const target = share > 0 ? 12 : 250;
  const parts = hexToBytes(hex).map((byte) => Math.round(byte + (target - byte) * Math.abs(share)));
  return `#${parts.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function hexToBytes(hex: string): [number, number, number] {
  const at = (n: number) => Number.parseInt(hex.slice(n, n + 2), 16);
  return [at(1), at(3), at(5)];
}
