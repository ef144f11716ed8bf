import { smoothStep, type Plane } from '../pixels/plane.ts';

/**
 * Of every row of a cover: the middle of its body, half the body's width, in pixels, and how much of a turn the row
 * takes part in, 0..1.
 */
export type Outline = { middle: Float64Array; half: Float64Array; share: Float64Array };

// of the covered height: the joint of a mug's handle is no part of the body's width, a bottle's shoulder is
const CALMED = 0.08;
const SMOOTHED = 0.05; // so that no two rows turn so differently that something tears between them
const STANDING = 0.22; // above the foot, where the turn fades out: what stands on a floor does not slide on it
const OPEN = 0.6; // of a row's width: less in one piece is not the body but a handle over it

const LOOSE = 0.3; // of the rows: so many in pieces are no body, and all turn as one plate

/**
 * @param cover 0..1 a pixel
 * @param base the row that stands on the floor
 */
export function traceOutline(cover: Plane, base: number): Outline {
  const rows = Array.from({ length: cover.height }, (_, y) => findBody(cover, y));
  const covered = [...rows.keys()].filter((y) => rows[y]!.width > 0);
  const [top, bottom] = [covered[0] ?? 0, covered.at(-1) ?? 0];
  const height = Math.max(1, bottom - top);
  const upper = covered.filter((y) => y < top + height / 2);
  const shoulder = 1 + (upper.findLast((y) => rows[y]!.width < OPEN * rows[y]!.reach) ?? top - 1);
  const standing = rows.slice(shoulder, Math.round(base));
  const isLoose = standing.filter((row) => row.width < OPEN * row.reach).length > LOOSE * standing.length;
  const whole = findBody({ ...cover, height: 1, data: anyRow(cover) }, 0);
  const calm = (pick: (row: Body) => number) => {
    if (isLoose) return new Float64Array(cover.height).fill(pick({ ...whole, width: whole.reach }));
    const values = Float64Array.from(rows, (_, y) => pick(rows[Math.min(bottom, Math.max(shoulder, y))]!));
    const [far, near] = [CALMED, SMOOTHED].map((share) => Math.round(share * height)) as [number, number];
    const medians = values.map((_v, y) => values.slice(Math.max(0, y - far), y + far + 1).sort()[far] ?? values[y]!);
    return medians.map((value, y) => {
      const around = medians.subarray(Math.max(0, y - near), y + near + 1);
      return around.length > 0 ? around.reduce((sum, one) => sum + one, 0) / around.length : value;
    });
  };
  const share = Float64Array.from(rows, (_, y) => smoothStep(0, STANDING * height, base - y));
  return { middle: calm((row) => row.left + (row.width - 1) / 2), half: calm((row) => row.width / 2), share };
}

/** One row that is covered wherever any row is. */
function anyRow({ data, width }: Plane): Float32Array {
  const out = new Float32Array(width);
  for (let i = 0; i < data.length; i += 1) if (data[i]! >= 0.5) out[i % width] = 1;
  return out;
}

type Body = { left: number; width: number; reach: number };

/** The longest covered piece of a row, and how far all its pieces reach together. */
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
 * Which column of the cover each column shows when what it shows has turned, in place: as the front of a cylinder as
 * wide as the body does, but with its edges held, so that nothing of its hidden side is needed and nothing tears.
 * @param yaw the angle's sine, to the right, between -0.5 and 0.5
 * @param size pixels of the columns' plane per pixel of the outline's
 */
export function turnColumns(outline: Outline, row: number, yaw: number, columns: Float64Array, size = 1): void {
  const { middle, half, share } = outline;
  const y = Math.min(middle.length - 1, Math.max(0, Math.round((row + 0.5) / size - 0.5)));
  const centre = (middle[y]! + 0.5) * size - 0.5;
  const radius = Math.max(1, half[y]! * size);
  const most = yaw * share[y]! * radius;
  for (let x = 0; x < columns.length; x += 1) {
    const place = (columns[x]! - centre) / radius;
    if (place > -1 && place < 1) columns[x]! -= most * (1 - place * place);
  }
}
