/** Writes numeric colour definitions as an ICC profile (ICC.1:2001-04), which every decoder understands. */

export type ColourSpace = {
  isGrey: boolean;
  /** The transfer function: a gamma value, or the curve of sRGB. */
  transfer: number | 'srgb';
  /** CIE x and y of white, red, green and blue. */
  primaries: [number, number, number, number, number, number, number, number];
};

const HEADER_BYTES = 128;
const CURVE_STEPS = 1024;
/** The white point of the connection space (D50). */
const D50: Triple = [0.9642, 1, 0.8249];

/** A matrix and curve profile; for grey a single curve. */
export function writeProfile({ isGrey, transfer, primaries }: ColourSpace): Buffer {
  const curve = writeCurve(transfer);
  const tags: [name: string, content: Buffer][] = isGrey
    ? [
        ['wtpt', writePoint(D50)],
        ['kTRC', curve],
      ]
    : [
        ['wtpt', writePoint(D50)],
        ...toColumns(primaries).map((column, at): [string, Buffer] => [`${'rgb'[at]}XYZ`, writePoint(column)]),
        ...['r', 'g', 'b'].map((name): [string, Buffer] => [`${name}TRC`, curve]),
      ];
  const table = Buffer.alloc(4 + 12 * tags.length);
  table.writeUInt32BE(tags.length, 0);
  let offset = HEADER_BYTES + table.byteLength;
  tags.forEach(([name, content], at) => {
    table.write(name, 4 + 12 * at, 'latin1');
    table.writeUInt32BE(offset, 8 + 12 * at);
    table.writeUInt32BE(content.byteLength, 12 + 12 * at);
    offset += content.byteLength;
  });
  return Buffer.concat([writeHeader(offset, isGrey), table, ...tags.map(([, content]) => content)]);
}

function writeHeader(bytes: number, isGrey: boolean): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(bytes, 0);
  header.writeUInt32BE(0x02_40_00_00, 8);
  header.write(`mntr${isGrey ? 'GRAY' : 'RGB '}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  writePoint(D50).copy(header, 68, 8);
  return header;
}

/** s15Fixed16: 16.16 fixed point. */
function writePoint(values: Triple): Buffer {
  const tag = Buffer.alloc(20);
  tag.write('XYZ ', 0, 'latin1');
  values.forEach((value, at) => tag.writeInt32BE(Math.round(value * 65_536), 8 + 4 * at));
  return tag;
}

function writeCurve(transfer: ColourSpace['transfer']): Buffer {
  // Padded to whole 32-bit words, as each tag must be.
  const tag = Buffer.alloc(12 + 2 * CURVE_STEPS);
  tag.write('curv', 0, 'latin1');
  tag.writeUInt32BE(CURVE_STEPS, 8);
  for (let at = 0; at < CURVE_STEPS; at += 1) {
    const value = at / (CURVE_STEPS - 1);
    const light = transfer === 'srgb' ? fromSrgb(value) : value ** transfer;
    tag.writeUInt16BE(Math.round(light * 65_535), 12 + 2 * at);
  }
  return tag;
}

const fromSrgb = (value: number): number => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

/** Red, green and blue in the connection space, adapted to its white point by Bradford. */
function toColumns([wx, wy, ...points]: ColourSpace['primaries']): Triple[] {
  const white = toXyz(wx, wy);
  const [red, green, blue] = [0, 2, 4].map((at) => toXyz(points[at] ?? 0, points[at + 1] ?? 0)) as Matrix;
  const factors = solve(transpose([red, green, blue]), white);
  const columns = [red, green, blue].map((column, at) => column.map((one) => one * (factors[at] ?? 0)) as Triple);
  const sourceCones = apply(BRADFORD, white);
  const targetCones = apply(BRADFORD, D50);
  return columns.map((column) => {
    const scaled = apply(BRADFORD, column).map(
      (one, at) => (one * (targetCones[at] ?? 1)) / (sourceCones[at] ?? 1),
    ) as Triple;
    return solve(BRADFORD, scaled);
  });
}

const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

const toXyz = (x: number, y: number): Triple => [x / y, 1, (1 - x - y) / y];
const apply = (matrix: Matrix, vector: Triple): Triple =>
  matrix.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]) as Triple;
const transpose = ([a, b, c]: Matrix): Matrix => [0, 1, 2].map((at) => [a[at], b[at], c[at]]) as Matrix;
const determinant = ([[a, b, c], [d, e, f], [g, h, i]]: Matrix): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

/** Solves matrix * x = vector by Cramer's rule. */
const solve = (matrix: Matrix, vector: Triple): Triple =>
  [0, 1, 2].map(
    (column) =>
      determinant(matrix.map((row, at) => row.map((one, place) => (place === column ? vector[at] : one))) as Matrix) /
      determinant(matrix),
  ) as Triple;
