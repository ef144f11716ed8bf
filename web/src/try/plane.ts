/** One value per pixel, row by row. */
export type Size = { width: number; height: number };
export type Plane = Size & { data: Float32Array<ArrayBuffer> };
/** Interleaved RGBA bytes, as a canvas gives them. */
export type Rgba = Size & { data: Uint8ClampedArray<ArrayBuffer> };
/** In pixels. */
export type Box = Size & { left: number; top: number };

export function makePlane({ width, height }: Size): Plane {
  return { width, height, data: new Float32Array(width * height) };
}

/** Bilinear, pixel centres aligned. Only for growing, or for shrinking by less than two. */
export function resizePlane(plane: Plane, { width, height }: Size): Plane {
  const out = makePlane({ width, height });
  const columns = Array.from({ length: width }, (_, x) => between(x, width, plane.width));
  for (let y = 0; y < height; y += 1) {
    const [above, below, down] = between(y, height, plane.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right, along] = columns[x]!;
      const upper = mix(plane.data[above * plane.width + left]!, plane.data[above * plane.width + right]!, along);
      const lower = mix(plane.data[below * plane.width + left]!, plane.data[below * plane.width + right]!, along);
      out.data[y * width + x] = mix(upper, lower, down);
    }
  }
  return out;
}

/** The two source places beside a target place, and the share of the second. */
function between(at: number, length: number, sourceLength: number): [first: number, second: number, share: number] {
  const place = Math.min(sourceLength - 1, Math.max(0, ((at + 0.5) * sourceLength) / length - 0.5));
  const first = Math.floor(place);
  return [first, Math.min(sourceLength - 1, first + 1), place - first];
}

const mix = (one: number, other: number, share: number) => one * (1 - share) + other * share;

export function cutPlane(plane: Plane, { left, top, width, height }: Box): Plane {
  const out = makePlane({ width, height });
  for (let y = 0; y < height; y += 1) {
    const from = (top + y) * plane.width + left;
    out.data.set(plane.data.subarray(from, from + width), y * width);
  }
  return out;
}

/** The mean over a square window of `2 * radius + 1`, cut at the borders. */
export function boxBlur(plane: Plane, radius: number): Plane {
  const across = blurLines(plane.data, plane.width, plane.height, 1, plane.width, radius);
  return { ...plane, data: blurLines(across, plane.height, plane.width, plane.width, 1, radius) };
}

/** `lines` lines of `length` values, `step` apart in a line and `next` apart between lines. */
function blurLines(
  from: Float32Array,
  length: number,
  lines: number,
  step: number,
  next: number,
  radius: number,
): Float32Array<ArrayBuffer> {
  const to = new Float32Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    const start = line * next;
    let sum = 0;
    let count = 0;
    for (let at = -radius; at < length; at += 1) {
      const [comes, goes] = [at + radius, at - radius - 1];
      if (comes < length) {
        sum += from[start + comes * step]!;
        count += 1;
      }
      if (goes >= 0) {
        sum -= from[start + goes * step]!;
        count -= 1;
      }
      if (at >= 0) to[start + at * step] = sum / count;
    }
  }
  return to;
}

/** The smallest box around everything that is covered by `least` and more; undefined where nothing is. */
export function findBox({ width, data }: Plane, least: number): Box | undefined {
  let [left, right, top, bottom] = [Infinity, -1, Infinity, -1];
  for (let i = 0; i < data.length; i += 1) {
    if (data[i]! < least) continue;
    const x = i % width;
    const y = (i - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? undefined : { left, top, width: right + 1 - left, height: bottom + 1 - top };
}

const OPAQUE = 250; // of 255
const OPEN_SHARE = 0.01; // of the picture: less is an artefact

/** The picture's own cover where it is cut out already. */
export function ownCover({ width, height, data }: Rgba): Plane | undefined {
  const plane = makePlane({ width, height });
  let open = 0;
  for (let i = 0; i < plane.data.length; i += 1) {
    const cover = data[i * 4 + 3]!;
    plane.data[i] = cover / 255;
    if (cover < OPAQUE) open += 1;
  }
  return open > OPEN_SHARE * plane.data.length ? plane : undefined;
}
