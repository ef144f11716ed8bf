// Width and height out of a picture's first bytes, so that this process never runs picture code on foreign bytes.

export interface PictureSize {
  width: number;
  height: number;
}

/** The size in pixels as stored (before any EXIF turn), of a JPEG or PNG; undefined for anything else. */
export function readPictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(view) ?? readJpeg(view);
}

const PNG_SIGNATURE = [0x89504e47, 0x0d0a1a0a] as const;

/** PNG (ISO/IEC 15948): signature, then the IHDR chunk with both sides as big-endian words. */
function readPng(view: DataView): PictureSize | undefined {
  if (view.byteLength < 24 || view.getUint32(0) !== PNG_SIGNATURE[0] || view.getUint32(4) !== PNG_SIGNATURE[1]) {
    return undefined;
  }
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** JPEG (ITU-T T.81 annex B): segments with their lengths, until the frame header, which has height before width. */
function readJpeg(view: DataView): PictureSize | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) {
      at += 1; // fill byte
      continue;
    }
    if (marker < 0xffc0) return undefined;
    if (isFrameHeader(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15 without the three markers among them that mean something else (DHT, JPG, DAC). */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
}
