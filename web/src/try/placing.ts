import { findBox } from '../../../engine/src/pixels/mask.ts';
import type { Box, Mask } from '../../../engine/src/pixels/plane.ts';

/** A product's best position in one of the engine's scenes, in pixels of the scene's picture. */
export type Stand = { x: number; y: number; maxWidth: number; maxHeight: number };
export type Placing = { from: Box; to: Box; shadow: { x: number; y: number; along: number; across: number } };

const FILL_SHARE = 0.88; // of the stand's maximum size
const VISIBLE = 26; // of 255: least visible alpha
const FOOT = 0.08; // of the product's height: rows at its lower end that determine the foot's width
const FLATNESS = 0.13; // of the shadow's width: its height
const FORWARD = 0.02; // of the product's height: it stands slightly in front of its shadow's centre

/** Places the product's lower end on the stand. `alpha`: 0..255. Undefined if nothing is visible. */
export function placeProduct(alpha: Mask, stand: Stand): Placing | undefined {
  const from = findBox(alpha, 0, VISIBLE);
  if (from === undefined) return undefined;
  const scale = FILL_SHARE * Math.min(stand.maxWidth / from.width, stand.maxHeight / from.height);
  const [width, height] = [from.width * scale, from.height * scale];
  const to = { left: stand.x - width / 2, top: stand.y - height * (1 - FORWARD), width, height };
  const foot = findFoot(alpha, from);
  const along = (foot.width * scale) / 2;
  return {
    from,
    to,
    shadow: { x: to.left + (foot.left - from.left) * scale + along, y: stand.y, along, across: along * FLATNESS },
  };
}

function findFoot(alpha: Mask, { left, top, width, height }: Box): Box {
  const rows = Math.max(1, Math.round(height * FOOT));
  const start = (top + height - rows) * alpha.width;
  const below = { width: alpha.width, height: rows, data: alpha.data.subarray(start, start + rows * alpha.width) };
  return findBox(below, 0, 128) ?? { left, top: 0, width, height: rows };
}
