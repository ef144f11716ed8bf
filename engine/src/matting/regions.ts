// Connected regions and simple shape operations on 0/1 masks.

export interface Region {
  pixels: Int32Array;
  touchesBorder: boolean;
}

/** The 4-connected regions of the pixels whose mask value is `value`. */
export function findRegions(mask: Uint8Array, width: number, height: number, value = 1): Region[] {
  const seen = new Uint8Array(mask.length);
  const stack = new Int32Array(mask.length);
  const regions: Region[] = [];
  let tail = 0;
  const visit = (next: number) => {
    if (seen[next] || mask[next] !== value) return;
    seen[next] = 1;
    stack[tail++] = next;
  };
  for (let start = 0; start < mask.length; start += 1) {
    if (seen[start] || mask[start] !== value) continue;
    tail = 0;
    let touchesBorder = false;
    stack[tail++] = start;
    seen[start] = 1;
    for (let head = 0; head < tail; head += 1) {
      const i = stack[head]!;
      const x = i % width;
      const y = (i - x) / width;
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) touchesBorder = true;
      if (x > 0) visit(i - 1);
      if (x < width - 1) visit(i + 1);
      if (y > 0) visit(i - width);
      if (y < height - 1) visit(i + width);
    }
    regions.push({ pixels: stack.slice(0, tail), touchesBorder });
  }
  return regions;
}

/** Chamfer distance (3-4 mask, in pixels) of every pixel from the nearest pixel outside the mask. */
export function distanceInside(mask: Uint8Array, width: number, height: number): Float32Array {
  const wide = width + 2; // a frame of far-away pixels saves all checks of the border
  const field = new Int32Array(wide * (height + 2)).fill(FAR);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (!mask[y * width + x]) field[(y + 1) * wide + x + 1] = 0;
  }
  for (let y = 1; y <= height; y += 1) relaxRow(field, y * wide, wide, width, 1);
  for (let y = height; y >= 1; y -= 1) relaxRow(field, y * wide, wide, width, -1);
  const out = new Float32Array(mask.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) out[y * width + x] = field[(y + 1) * wide + x + 1]! / 3;
  }
  return out;
}

const FAR = 1_000_000;

function relaxRow(field: Int32Array, row: number, wide: number, width: number, step: 1 | -1): void {
  const first = step > 0 ? 1 : width;
  for (let n = 0; n < width; n += 1) {
    const i = row + first + n * step;
    let least = field[i]!;
    if (least === 0) continue;
    const before = i - step * wide;
    if (field[i - step]! + 3 < least) least = field[i - step]! + 3;
    if (field[before]! + 3 < least) least = field[before]! + 3;
    if (field[before - 1]! + 4 < least) least = field[before - 1]! + 4;
    if (field[before + 1]! + 4 < least) least = field[before + 1]! + 4;
    field[i] = least;
  }
}

export function invert(mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i += 1) out[i] = mask[i] ? 0 : 1;
  return out;
}

export function erode(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const depth = distanceInside(mask, width, height);
  const out = new Uint8Array(mask.length);
  for (let i = 0; i < out.length; i += 1) out[i] = depth[i]! > radius ? 1 : 0;
  return out;
}

export function dilate(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return invert(erode(invert(mask), width, height, radius));
}

export function open(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return dilate(erode(mask, width, height, radius), width, height, radius);
}

export function countOnes(mask: Uint8Array): number {
  let count = 0;
  for (const value of mask) count += value;
  return count;
}

/** Intersection over union of two masks, 0..1. */
export function overlap(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let i = 0; i < one.length; i += 1) {
    both += one[i]! & other[i]!;
    either += one[i]! | other[i]!;
  }
  return both / Math.max(1, either);
}

export function close(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  return erode(dilate(mask, width, height, radius), width, height, radius);
}

export function fillHoles(mask: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  for (const region of findRegions(mask, width, height, 0)) {
    if (!region.touchesBorder) for (const i of region.pixels) out[i] = 1;
  }
  return out;
}

/** Adds, in every column, what lies between the topmost and the lowest pixel. */
export function fillColumns(mask: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  for (let x = 0; x < width; x += 1) {
    let top = 0;
    let bottom = height - 1;
    while (top < height && !mask[top * width + x]) top += 1;
    while (bottom > top && !mask[bottom * width + x]) bottom -= 1;
    for (let y = top; y < bottom; y += 1) out[y * width + x] = 1;
  }
  return out;
}

/** Closes holes too small to be a handle: print on a label, a highlight. */
export function fillPinholes(mask: Uint8Array, width: number, height: number): Uint8Array {
  const out = mask.slice();
  const most = PINHOLE_SHARE * countOnes(mask);
  for (const { pixels } of findRegions(mask, width, height, 0))
    if (pixels.length < most) for (const i of pixels) out[i] = 1;
  return out;
}

const PINHOLE_SHARE = 0.012;
