// Clear glass with exactly known cover and colours: vessels drawn for this project in front of the plates that the engine ships.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { makeRandom } from '../src/pixels/random.ts';
import type { Sample } from './composites.ts';

export interface GlassSample extends Sample {
  /** Interleaved RGB 0..255 of the glass alone, where it is known. */
  front?: Uint8Array;
}

const WIDTH = 600;
const HEIGHT = 800;
const PLATES = new URL('../assets/plates/', import.meta.url);

interface Vessel {
  plate: string;
  /** The closed outline as an SVG path. */
  outline: string;
  tint: string;
  /** More SVG inside the outline: mouths, bases, contents, highlights. */
  details: string;
}

const VESSELS = {
  tumbler: {
    plate: 'cafe-wood',
    outline: 'M195 330 C195 312 405 312 405 330 L384 640 C382 662 218 662 216 640 Z',
    tint: '#dfe9ea',
    details: `<ellipse cx="300" cy="331" rx="105" ry="14" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3"/>
      <path d="M216 632 C220 610 380 610 384 632 L384 640 C382 662 218 662 216 640 Z" fill="#e6eeee" fill-opacity=".45"/>
      <path d="M222 360 L234 590" stroke="#fff" stroke-opacity=".85" stroke-width="9" stroke-linecap="round"/>
      <path d="M378 372 L370 500" stroke="#fff" stroke-opacity=".5" stroke-width="5" stroke-linecap="round"/>`,
  },
  vase: {
    plate: 'living-room',
    outline:
      'M262 220 C262 209 338 209 338 220 C332 300 345 340 378 400 C420 480 410 590 366 640 C350 656 250 656 234 640 C190 590 180 480 222 400 C255 340 268 300 262 220 Z',
    tint: '#bcd6d2',
    details: `<ellipse cx="300" cy="221" rx="38" ry="9" fill="none" stroke="#fff" stroke-opacity=".7" stroke-width="3"/>
      <path d="M240 632 C262 612 338 612 360 632 C346 654 254 654 240 632 Z" fill="#9fbdb8" fill-opacity=".5"/>
      <path d="M232 440 C212 490 214 540 228 580" fill="none" stroke="#fff" stroke-opacity=".9" stroke-width="10" stroke-linecap="round"/>
      <path d="M280 250 C278 300 276 320 268 345" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="5" stroke-linecap="round"/>`,
  },
  juice: {
    plate: 'morning-table',
    outline: 'M205 300 C205 284 395 284 395 300 L388 650 C386 668 214 668 212 650 Z',
    tint: '#e4ecec',
    details: `<path d="M209 430 C240 442 360 442 391 430 L387 636 C384 652 216 652 213 636 Z" fill="#e8861c" fill-opacity=".97"/>
      <ellipse cx="300" cy="430" rx="91" ry="12" fill="#f2a13e" fill-opacity=".97"/>
      <ellipse cx="300" cy="301" rx="95" ry="13" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="3"/>
      <path d="M230 326 L236 600" stroke="#fff" stroke-opacity=".8" stroke-width="8" stroke-linecap="round"/>`,
  },
} satisfies Record<string, Vessel>;

export type VesselName = keyof typeof VESSELS;
export const VESSEL_NAMES = Object.keys(VESSELS) as VesselName[];

/** A drawn vessel in front of its plate, with a photo's grain. */
export async function drawGlass(name: VesselName): Promise<GlassSample> {
  const vessel: Vessel = VESSELS[name];
  const { data } = await sharp(Buffer.from(toSvg(vessel)))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const back = await readPlate(vessel.plate);
  const random = makeRandom(11);
  const alpha = new Float32Array(WIDTH * HEIGHT);
  const front = new Uint8Array(alpha.length * 3);
  const rgb = new Uint8Array(alpha.length * 3);
  for (let i = 0; i < alpha.length; i += 1) {
    alpha[i] = data[i * 4 + 3]! / 255;
    const grain = (random() + random() - 1) * 3;
    for (let c = 0; c < 3; c += 1) {
      front[i * 3 + c] = data[i * 4 + c]!;
      const light = front[i * 3 + c]! * alpha[i]! + back[i * 3 + c]! * (1 - alpha[i]!) + grain;
      rgb[i * 3 + c] = Math.min(255, Math.max(0, Math.round(light)));
    }
  }
  return { picture: { width: WIDTH, height: HEIGHT, rgb }, alpha, front };
}

/** The part of a plate that the drawn vessels stand in, interleaved RGB. */
export async function readPlate(name: string, width = WIDTH, height = HEIGHT): Promise<Uint8Array> {
  const file = await readFile(fileURLToPath(new URL(`${name}.webp`, PLATES)));
  return sharp(file).resize(width, height, { fit: 'cover', position: 'bottom' }).removeAlpha().raw().toBuffer();
}

/** Walls that thicken towards the sides, a bright and a dark line along the outline. */
function toSvg({ outline, tint, details }: Vessel): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="wall">
      <stop offset="0" stop-color="${tint}" stop-opacity=".7"/><stop offset=".14" stop-color="${tint}" stop-opacity=".24"/>
      <stop offset=".5" stop-color="${tint}" stop-opacity=".13"/><stop offset=".86" stop-color="${tint}" stop-opacity=".24"/>
      <stop offset="1" stop-color="${tint}" stop-opacity=".7"/>
    </linearGradient><clipPath id="in"><path d="${outline}"/></clipPath></defs>
    <g clip-path="url(#in)"><path d="${outline}" fill="url(#wall)"/>${details}
      <path d="${outline}" fill="none" stroke="#28302f" stroke-opacity=".6" stroke-width="9"/>
      <path d="${outline}" fill="none" stroke="#f4fafa" stroke-opacity=".7" stroke-width="4"/></g></svg>`;
}
