/** Parser for the box structure of MP4 files (ISO/IEC 14496-12, 4.2). */

/** A box. `offset`, `head` (its header's length) and `size` (its whole length) are in bytes. */
export type Mp4Box = { type: string; offset: number; head: number; size: number };

const MAX_BOXES = 10_000;

/** Lists the sibling boxes in `bytes`. @throws Error when one exceeds `bytes`, or there are over 10,000 */
export function listMp4Boxes(bytes: Uint8Array): Mp4Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Mp4Box[] = [];
  for (let offset = 0; offset < bytes.byteLength;) {
    const rest = bytes.byteLength - offset;
    if (rest < 8) throw new Error('a box that is cut off');
    const short = view.getUint32(offset);
    const isWide = short === 1 && rest >= 16;
    const head = isWide ? 16 : 8;
    // Size 0 means up to the end of the file.
    const size = isWide ? Number(view.getBigUint64(offset + 8)) : short === 0 ? rest : short;
    if (size < head || size > rest || boxes.length === MAX_BOXES) throw new Error('a box that is cut off');
    boxes.push({ type: String.fromCharCode(...bytes.subarray(offset + 4, offset + 8)), offset, head, size });
    offset += size;
  }
  return boxes;
}
