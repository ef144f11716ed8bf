// Clear glass, which shows its background: found by an outline that is a line on both sides of an upright axis, and let through again.
import { shrinkPicture, type Picture } from '../pixels/decode.ts';
import { toLabPlanes, type LabPlanes } from '../pixels/lab.ts';
import { boxBlur } from '../pixels/planes.ts';
import { mapBytes } from '../pixels/map.ts';
import { learnBackdrop } from './background.ts';
import type { Colours } from './foreground.ts';
import { fillBehind } from './glass-background.ts';
import { distanceInside } from './regions.ts';
import { measureSharpness } from './sharpness.ts';
import { findUprightOutline, placeOnAxis, type UprightOutline } from './upright-outline.ts';

/** What covers and what shines through, both of the picture's size. */
export interface Glass {
  /** 0..1; low where walls are clear. */
  alpha: Float32Array;
  /** The background as it would be without the glass: the picture's own where there is none. */
  behind: Colours;
}

const SEARCH_SIDE = 512;
const LEAST_CRISP = 0.85; // glass has .96 to 1
const LEAST_HEIGHT = 0.12; // of the picture's
const LEAST_LINED = 0.57; // of the rows; glass has .60 to .96, opaque things at most .50
const LEAST_CLEAR = 0.4; // of the inside
const CLEAR_STEP = 22; // Lab units that a clear wall may differ from what is behind it
const LINE_REACH = 3; // px about the outline in which its line runs
const BESIDE = 7; // px from the outline to where wall and background are themselves

/** Undefined where no upright glass stands free, and for opaque things of any colour. */
export async function findGlass(picture: Picture): Promise<Glass | undefined> {
  const small = await shrinkPicture(picture, SEARCH_SIDE);
  const lab = toLabPlanes(small);
  const { ring } = learnBackdrop(lab, small.width, small.height);
  const sharpness = measureSharpness(lab, ring, small.width, small.height);
  const outline = findUprightOutline(lab, sharpness, small.width, small.height);
  if (!outline || !isGlass(small, lab, outline)) return undefined;
  const standing = endAtFoot(small, outline);
  const cover = drawOutline(standing, picture);
  const behind = fillBehind(picture, cover);
  return { alpha: measureCover(picture, standing, cover, behind), behind };
}

/** Clear walls end in a line with much the same on both its sides; opaque things end in a step. */
function isGlass(small: Picture, lab: LabPlanes, outline: UprightOutline): boolean {
  if (outline.crisp < LEAST_CRISP || outline.bottom - outline.top < LEAST_HEIGHT * outline.height) return false;
  return shareOfLines(lab, outline) > LEAST_LINED && shareOfClear(small, outline) > LEAST_CLEAR;
}

function shareOfLines(lab: LabPlanes, { reach, middle, lean, width, height }: UprightOutline): number {
  let [rows, lined] = [0, 0];
  for (let row = 0; row < height; row += 1) {
    if (reach[row]! < 2 * BESIDE) continue;
    for (const side of [-1, 1]) {
      const at = (outwards: number) => {
        const across = side * (reach[row]! + outwards);
        const x = Math.round(middle + across * Math.cos(lean) - (row - height / 2) * Math.sin(lean));
        const y = Math.round(height / 2 + (row - height / 2) * Math.cos(lean) + across * Math.sin(lean));
        const i = Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x));
        return [lab.l[i]!, lab.a[i]!, lab.b[i]!] as const;
      };
      const [inner, outer] = [at(-BESIDE), at(BESIDE)];
      let line = 0;
      for (let off = -LINE_REACH; off <= LINE_REACH; off += 1) {
        const here = at(off);
        line = Math.max(line, Math.min(apart(here, inner), apart(here, outer)));
      }
      rows += 1;
      if (line > 0.7 * apart(inner, outer)) lined += 1;
    }
  }
  return lined / Math.max(1, rows);
}

function apart(one: readonly [number, number, number], other: readonly [number, number, number]): number {
  return Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

function shareOfClear(small: Picture, outline: UprightOutline): number {
  const cover = drawOutline(outline, small);
  const step = measureStep(small, fillBehind(small, cover));
  let [inside, clear] = [0, 0];
  for (let i = 0; i < cover.length; i += 1) {
    if (cover[i]! < 1) continue;
    inside += 1;
    if (step[i]! < CLEAR_STEP) clear += 1;
  }
  return clear / Math.max(1, inside);
}

const SLACK = 10; // rows by which a faint line of the floor may have lengthened the outline

/** The lowest line of glass is its plainest: what the outline holds below it is floor. */
function endAtFoot(small: Picture, outline: UprightOutline): UprightOutline {
  const { width, height } = small;
  const step = measureStep(small, fillBehind(small, drawOutline(outline, small)));
  const sums = new Float32Array(height);
  const counts = new Float32Array(height);
  for (let i = 0; i < step.length; i += 1) {
    const x = i % width;
    const { across, half, row } = placeOnAxis(outline, x, (i - x) / width);
    if (Math.abs(across) >= half) continue;
    sums[Math.round(row)]! += step[i]!;
    counts[Math.round(row)]! += 1;
  }
  const plain = sums.map((sum, row) => (row > outline.bottom - SLACK ? sum / Math.max(1, counts[row]!) : 0));
  const most = Math.max(...plain);
  const bottom = plain.findLastIndex((value) => value > 0.5 * most);
  return bottom > 0 ? { ...outline, bottom } : outline;
}

/** Lab units between each pixel and the background predicted for it. */
function measureStep(picture: Picture, behind: Colours): Float32Array {
  const { width, height } = picture;
  const is = toLabPlanes(picture);
  const was = toLabPlanes({ width, height, rgb: mapBytes(behind, Math.round) });
  return is.l.map((l, i) => Math.hypot(l - was.l[i]!, is.a[i]! - was.a[i]!, is.b[i]! - was.b[i]!));
}

const BEYOND = 2.5; // px of the search's from the middle of the outline's line to where its glow ends; what is background there stays clear

/** 0..1 at the size of `picture`. */
function drawOutline(outline: UprightOutline, { width, height }: Picture): Float32Array {
  const scale = outline.width / width;
  const outside = new Uint8Array(width * height);
  for (let i = 0; i < outside.length; i += 1) {
    const x = i % width;
    const { across, half } = placeOnAxis(outline, (x + 0.5) * scale - 0.5, ((i - x) / width + 0.5) * scale - 0.5);
    outside[i] = Math.abs(across) < half ? 0 : 1;
  }
  return distanceInside(outside, width, height).map((away) => Math.min(1, Math.max(0, BEYOND / scale + 1 - away)));
}

const CLEAR = 0.2; // cover of two clear walls seen straight on
const REFLECTS = 0.04; // share of light that glass (refractive index 1.5) throws back straight on
const UNSEEN = 9; // Lab units: grain, and the little that glass bends
const OPAQUE = 42;

function measureCover(picture: Picture, outline: UprightOutline, cover: Float32Array, behind: Colours): Float32Array {
  const { width, height, rgb } = picture;
  const scale = outline.width / width;
  const step = measureStep(picture, behind);
  const alpha = cover.map((share, i) => {
    if (share === 0) return 0;
    const x = i % width;
    const { across, half } = placeOnAxis(outline, (x + 0.5) * scale - 0.5, ((i - x) / width + 0.5) * scale - 0.5);
    const off = Math.abs(across) / Math.max(half, 1);
    const wall = off < 1 ? coverOfWalls(off) : 0;
    return share * (1 - (1 - wall) * (1 - easeIn((step[i]! - UNSEEN) / (OPAQUE - UNSEEN))));
  });
  return boxBlur(alpha, width, height, 1).map((value, i) => {
    if (cover[i] === 0) return 0;
    return Math.min(1, Math.max(value, leastCover(rgb, behind, i)));
  });
}

/** Two thin walls of a round vessel: light takes a longer way through them (Lambert, Beer) and is thrown back more (Schlick 1994) towards its sides; `off` is 0 at the axis, 1 at the outline. */
function coverOfWalls(off: number): number {
  const cos = Math.sqrt(1 - off * off);
  const through = (1 - CLEAR) ** (1 / Math.max(cos, 0.02));
  const thrownBack = REFLECTS + (1 - REFLECTS) * (1 - cos) ** 5;
  return 1 - through * ((1 - thrownBack) / (1 - REFLECTS)) ** 2;
}

/** Below it no colour in front of `behind` could give the photo's. */
function leastCover(rgb: Uint8Array, behind: Colours, i: number): number {
  let least = 0;
  for (let c = i * 3; c < i * 3 + 3; c += 1) {
    const [is, was] = [rgb[c]!, behind[c]!];
    const need = is > was ? (is - was) / (255 - was) : (was - is) / Math.max(1, was);
    least = Math.max(least, need);
  }
  return least;
}

function easeIn(value: number): number {
  const t = Math.min(1, Math.max(0, value));
  return t * t * (3 - 2 * t);
}
