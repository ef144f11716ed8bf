import { smoothStep, type Plane } from '../pixels/plane.ts';

/** Per row of alpha: the body's centre and half its width in pixels, and its share 0..1 in a turn. */
export type Outline = { middle: Float64Array; half: Float64Array; share: Float64Array };

// of the product's height: ignores the joint of a mug's handle, but not a bottle's shoulder
const CALMED = 0.08;
const SMOOTHED = 0.05; // prevents tears between rows that turn differently
const FADE_ABOVE_FOOT = 0.22; // above the foot, where the turn fades out, so that the foot does not slide on the floor
const OPEN = 0.6; // of a row's width: a narrower single piece is a handle above the body

/**
 * @param alpha 0..1 per pixel
 * @param base the row of the foot
 */
export function traceOutline(alpha: Plane, base: number): Outline {
  const rows = Array.from({ length: alpha.height }, (_, y) => findBody(alpha, y));
  const filledRows = [...rows.keys()].filter((y) => rows[y]!.width > 0);
  const [top, bottom] = [filledRows[0] ?? 0, filledRows.at(-1) ?? 0];
  const height = Math.max(1, bottom - top);
  const upper = filledRows.filter((y) => y < top + height / 2);
  const shoulder = 1 + (upper.findLast((y) => rows[y]!.width < OPEN * rows[y]!.reach) ?? top - 1);
  const calm = (pick: (row: Body) => number) => {
    const values = Float64Array.from(rows, (_, y) => pick(rows[Math.min(bottom, Math.max(shoulder, y))]!));
    const [far, near] = [CALMED, SMOOTHED].map((share) => Math.round(share * height)) as [number, number];
    const medians = values.map((_v, y) => values.slice(Math.max(0, y - far), y + far + 1).sort()[far] ?? values[y]!);
    return medians.map((value, y) => {
      const around = medians.subarray(Math.max(0, y - near), y + near + 1);
      return around.length > 0 ? around.reduce((sum, one) => sum + one, 0) / around.length : value;
    });
  };
  const share = Float64Array.from(rows, (_, y) => smoothStep(0, FADE_ABOVE_FOOT * height, base - y));
  return { middle: calm((row) => row.left + (row.width - 1) / 2), half: calm((row) => row.width / 2), share };
}

type Body = { left: number; width: number; reach: number };

/** The longest piece of a row, and the extent of all its pieces. */
function findBody({ data, width }: Plane, y: number): Body {
  const body = { left: 0, width: 0, reach: 0 };
  let first = -1;
  let start = -1;
  for (let x = 0; x < width; x += 1) {
    if (data[y * width + x]! < 0.5) {
      start = -1;
      continue;
    }
    if (first < 0) first = x;
    if (start < 0) start = x;
    body.reach = x + 1 - first;
    if (x + 1 - start > body.width) [body.left, body.width] = [start, x + 1 - start];
  }
  return body;
}

/**
 * Maps columns for a turned row, in place: like the front of a cylinder of the body's width, but with fixed edges, so
 * that no hidden side is needed and nothing tears.
 * @param yaw the angle's sine, to the right, between -0.5 and 0.5
 * @param size pixels of the columns' plane per pixel of the outline's
 */
export function turnColumns(outline: Outline, row: number, yaw: number, columns: Float64Array, size = 1): void {
  const { middle, half, share } = outline;
  const y = Math.min(middle.length - 1, Math.max(0, Math.round((row + 0.5) / size - 0.5)));
  const centre = (middle[y]! + 0.5) * size - 0.5;
  const radius = Math.max(1, half[y]! * size);
  const maxShift = yaw * share[y]! * radius;
  for (let x = 0; x < columns.length; x += 1) {
    const place = (columns[x]! - centre) / radius;
    if (place > -1 && place < 1) columns[x]! -= maxShift * (1 - place * place);
  }
}
