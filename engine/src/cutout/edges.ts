/**
 * The exact edge: what the network leaves open is decided by the picture's own colours, each pixel as a mixture of one
 * sure product colour and one sure background colour nearby (after Gastal and Oliveira 2010, shared sampling).
 */
import { distanceInside, invert, threshold } from '../pixels/mask.ts';
import type { Plane, Rgb, Size } from '../pixels/plane.ts';
import { smoothStep } from '../pixels/shapes.ts';
import type { Subject } from './matting.ts';

const SURE_PRODUCT = 0.95;
const SURE_BACKGROUND = 0.05;
const OPEN_REACH = 1.2; // of the network's pixels: so far inside its outline product is sure, and beyond it background
const APART = 2; // pixels: so far from each other some look around, those between take over what their neighbours found
const RAYS = 8;
const RAY_REACH = 14; // of the network's pixels
/** Of 255: a colour that lies so far from the mixture is badly explained. */
export const MISFIT = 8;
/** Of 255: two colours so far apart tell little of the cover between them. */
export const DOUBT = 24;
const CONTRADICTION = 0.7; // cost of a cover that is the opposite of the network's

const OPEN = 2;

/** `found.alpha` has the picture's size; so has what comes out. */
export function solveEdges(picture: Rgb, { alpha, grain }: Pick<Subject, 'alpha' | 'grain'>): Plane {
  const sides = sortPixels(alpha, grain);
  const open = listOpen(sides);
  const mixtures = new Mixtures(picture, alpha, RAY_REACH * grain);
  const { width } = picture;
  for (const i of open)
    if ((i % width) % APART === 0 && Math.floor(i / width) % APART === 0) mixtures.lookAround(i, sides);
  // What a neighbour found is tried as well, down the picture and up again: a strap's colours run along the strap.
  for (const i of open) {
    if (i % width > 0) mixtures.tryOf(i, i - 1);
    if (i >= width) mixtures.tryOf(i, i - width);
  }
  for (const i of open.toReversed()) {
    if (i % width < width - 1) mixtures.tryOf(i, i + 1);
    if (i + width < sides.length) mixtures.tryOf(i, i + width);
  }
  const data = new Float32Array(sides.length);
  const trust = new Float32Array(sides.length).fill(1);
  for (let i = 0; i < data.length; i += 1) data[i] = sides[i] === 1 ? 1 : 0;
  for (const i of open) {
    trust[i] = mixtures.trust(i);
    data[i] = trust[i] * mixtures.cover(i) + (1 - trust[i]) * harden(alpha.data[i]!);
  }
  return smoothOpen(picture, { ...alpha, data }, trust, open);
}

function listOpen(sides: Uint8Array): Int32Array {
  const open = new Int32Array(sides.length);
  let count = 0;
  for (let i = 0; i < sides.length; i += 1) {
    if (sides[i] !== OPEN) continue;
    open[count] = i;
    count += 1;
  }
  return open.slice(0, count);
}

/** 0 background, 1 product, 2 open. */
function sortPixels(alpha: Plane, grain: number): Uint8Array {
  const product = distanceInside(threshold(alpha, SURE_PRODUCT)).data;
  const background = distanceInside(invert(threshold(alpha, SURE_BACKGROUND))).data;
  const sides = new Uint8Array(product.length);
  for (let i = 0; i < sides.length; i += 1)
    sides[i] = product[i]! > OPEN_REACH * grain ? 1 : background[i]! > OPEN_REACH * grain ? 0 : OPEN;
  return sides;
}

/** For every open pixel the two sure pixels, one of each side, whose mixture explains it best so far. */
class Mixtures {
  private readonly rgb: Uint8Array;
  private readonly size: Size;
  private readonly said: Float32Array;
  private readonly reach: number;
  private readonly product: Int32Array;
  private readonly background: Int32Array;
  private readonly costs: Float32Array;
  private readonly seen = { product: new Int32Array(RAYS), background: new Int32Array(RAYS) };

  constructor(picture: Rgb, alpha: Plane, reach: number) {
    this.rgb = picture.data;
    this.size = picture;
    this.said = alpha.data;
    this.reach = reach;
    this.product = new Int32Array(alpha.data.length).fill(-1);
    this.background = new Int32Array(alpha.data.length).fill(-1);
    this.costs = new Float32Array(alpha.data.length).fill(Infinity);
  }

  /** Tries the first sure pixels of both sides along rays in all directions. */
  lookAround(i: number, sides: Uint8Array): void {
    const { width, height } = this.size;
    const x = i % width;
    const y = (i - x) / width;
    const turn = (((x / APART) % 3) + 3 * ((y / APART) % 3)) / 9; // neighbours look in other directions
    const step = Math.max(1, this.reach / 40);
    let [products, backgrounds] = [0, 0];
    for (let ray = 0; ray < RAYS; ray += 1) {
      const angle = (2 * Math.PI * (ray + turn)) / RAYS;
      const dx = Math.cos(angle);
      const dy = Math.sin(angle);
      let [seesProduct, seesBackground] = [false, false];
      for (let away = step; away <= this.reach && !(seesProduct && seesBackground); away += step) {
        const px = Math.round(x + dx * away);
        const py = Math.round(y + dy * away);
        if (px < 0 || py < 0 || px >= width || py >= height) break;
        const at = py * width + px;
        if (sides[at] === 1 && !seesProduct) {
          seesProduct = true;
          this.seen.product[products] = at;
          products += 1;
        } else if (sides[at] === 0 && !seesBackground) {
          seesBackground = true;
          this.seen.background[backgrounds] = at;
          backgrounds += 1;
        }
      }
    }
    for (let p = 0; p < products; p += 1) {
      for (let b = 0; b < backgrounds; b += 1) this.take(i, this.seen.product[p]!, this.seen.background[b]!);
    }
  }

  /** Tries what another pixel found, also each side alone. */
  tryOf(i: number, other: number): void {
    const product = this.product[other]!;
    if (product < 0) return;
    const background = this.background[other]!;
    this.take(i, product, background);
    this.take(i, product, this.background[i]!);
    this.take(i, this.product[i]!, background);
  }

  /** The cover 0..1 by the best mixture; the network's own where no sure pixel was seen. */
  cover(i: number): number {
    return this.product[i]! < 0 ? this.said[i]! : this.mix(i, this.product[i]!, this.background[i]!).cover;
  }

  /** 0..1: how well the colour is explained, and how much the two colours differ. */
  trust(i: number): number {
    if (this.product[i]! < 0) return 0;
    const { cover, apart, misfit } = this.mix(i, this.product[i]!, this.background[i]!);
    return (apart / (apart + DOUBT * DOUBT)) * Math.exp(-misfit) * (1 - this.robs(i, cover));
  }

  /** 0..1: how much the cover takes away of what the network is sure of, also in the background's own colours. */
  private robs(i: number, cover: number): number {
    const said = this.said[i]!;
    return Math.max(0, said - cover) * Math.min(1, Math.max(0, (said - 0.6) / 0.35));
  }

  private take(i: number, product: number, background: number): void {
    if (product < 0 || background < 0) return;
    const { cover, misfit } = this.mix(i, product, background);
    const cost = misfit * misfit + CONTRADICTION * Math.abs(cover - this.said[i]!);
    if (cost >= this.costs[i]!) return;
    this.costs[i] = cost;
    this.product[i] = product;
    this.background[i] = background;
  }

  private mix(i: number, product: number, background: number): { cover: number; misfit: number; apart: number } {
    const { rgb } = this;
    let [along, apart] = [0, 0];
    for (let c = 0; c < 3; c += 1) {
      const behind = rgb[background * 3 + c]!;
      const step = rgb[product * 3 + c]! - behind;
      along += (rgb[i * 3 + c]! - behind) * step;
      apart += step * step;
    }
    const cover = Math.min(1, Math.max(0, along / (apart + 1)));
    let misfit = 0;
    for (let c = 0; c < 3; c += 1) {
      const behind = rgb[background * 3 + c]!;
      misfit += (rgb[i * 3 + c]! - behind - cover * (rgb[product * 3 + c]! - behind)) ** 2;
    }
    return { cover, misfit: Math.sqrt(misfit) / MISFIT, apart };
  }
}

/** Where colours do not tell, a crisp edge along the network's outline. */
const harden = (said: number) => smoothStep(0.35, 0.65, said);

const SMOOTHING = 2; // pixels
const LIKE = 20; // of 255

/** Neighbours of like colour have like cover: the mean over them, weighed by how well each was explained. */
function smoothOpen(picture: Rgb, alpha: Plane, trust: Float32Array, open: Int32Array): Plane {
  const { width, height, data } = alpha;
  const rgb = picture.data;
  const out = data.slice();
  for (const i of open) {
    const x = i % width;
    const y = (i - x) / width;
    let [sum, weights] = [0, 0];
    for (let py = Math.max(0, y - SMOOTHING); py <= Math.min(height - 1, y + SMOOTHING); py += 1) {
      for (let px = Math.max(0, x - SMOOTHING); px <= Math.min(width - 1, x + SMOOTHING); px += 1) {
        const at = py * width + px;
        const dr = rgb[at * 3]! - rgb[i * 3]!;
        const dg = rgb[at * 3 + 1]! - rgb[i * 3 + 1]!;
        const db = rgb[at * 3 + 2]! - rgb[i * 3 + 2]!;
        const weight = (0.05 + trust[at]!) / (1 + (dr * dr + dg * dg + db * db) / (LIKE * LIKE)) ** 2;
        sum += weight * data[at]!;
        weights += weight;
      }
    }
    out[i] = Math.min(1, Math.max(0, (sum / weights - 0.04) / 0.92));
  }
  return { width, height, data: out };
}
