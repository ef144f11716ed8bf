/** The structure of an MP4 file (ISO/IEC 14496-12, 4.2): boxes side by side, and in some of them more boxes. */

/** Where a box begins, how many bytes its header has, and how many it has in all. */
export type Mp4Box = { type: string; offset: number; head: number; size: number };

const MOST_BOXES = 10_000;

/** The boxes that lie side by side. @throws Error when one is longer than its surroundings, or there are thousands */
export function listMp4Boxes(bytes: Uint8Array): Mp4Box[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const boxes: Mp4Box[] = [];
  for (let offset = 0; offset < bytes.byteLength;) {
    const rest = bytes.byteLength - offset;
    if (rest < 8) throw new Error('a box that is cut off');
    const short = view.getUint32(offset);
    const isWide = short === 1 && rest >= 16;
    const head = isWide ? 16 : 8;
    // Size 0 means: up to the end.
    const size = isWide ? Number(view.getBigUint64(offset + 8)) : short === 0 ? rest : short;
    if (size < head || size > rest || boxes.length === MOST_BOXES) throw new Error('a box that is cut off');
    boxes.push({ type: String.fromCharCode(...bytes.subarray(offset + 4, offset + 8)), offset, head, size });
    offset += size;
  }
  return boxes;
}
