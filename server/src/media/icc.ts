/** Writes numeric colour definitions as an ICC profile (ICC.1:2010), which every decoder understands. */

export type ColourSpace = {
  isGrey: boolean;
  /** The transfer function: a gamma value, or the curve of sRGB. */
  transfer: number | 'srgb';
  /** Red, green and blue in the connection space: three times CIE XYZ, adapted to D50. */
  primaries: number[];
};

const HEADER_BYTES = 128;
/** The white point of the connection space. */
const D50 = [0.9642, 1, 0.8249];
/** g, a, b, c and d of (a * x + b) ** g where x >= d, and else c * x. */
const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45];
/** The largest number that a tag can hold. */
const MAX_FIXED = 32_767;

/** A matrix and curve profile; for grey a single curve. */
export function writeProfile({ isGrey, transfer, primaries }: ColourSpace): Buffer {
  const curve = writeTag('para\0\0\0\0\0\x03\0\0', transfer === 'srgb' ? SRGB_CURVE : [transfer, 1, 0, 0, 0]);
  const point = (values: number[]) => writeTag('XYZ \0\0\0\0', values);
  const colours = {
    rXYZ: point(primaries.slice(0, 3)),
    gXYZ: point(primaries.slice(3, 6)),
    bXYZ: point(primaries.slice(6)),
    rTRC: curve,
    gTRC: curve,
    bTRC: curve,
  };
  const tags = Object.entries({ wtpt: point(D50), ...(isGrey ? { kTRC: curve } : colours) });
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
  header.writeUInt32BE(0x04_30_00_00, 8);
  header.write(`mntr${isGrey ? 'GRAY' : 'RGB '}XYZ `, 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  writeTag('', D50).copy(header, 68);
  return header;
}

/** A tag's head and its numbers in 16.16 fixed point. */
function writeTag(head: string, values: number[]): Buffer {
  const tag = Buffer.alloc(head.length + 4 * values.length);
  tag.write(head, 'latin1');
  values.forEach((value, at) =>
    tag.writeInt32BE(Math.round(Math.min(value, MAX_FIXED) * 65_536), head.length + 4 * at),
  );
  return tag;
}
