/** The IPTC digital source type in a file's XMP. Its last URI segment states how the file was made. */

/** https://cv.iptc.org/newscodes/digitalsourcetype/, November 2026. */
export const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

const STATED =
  /DigitalSourceType(?:>|\s*=\s*["'])\s*(?:https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/)?(\w+)/;

/** @returns the last URI segment, or a bare word in its place; null if the XMP states no source type */
export function readSourceType(xmp: string | undefined): string | null {
  return xmp === undefined ? null : (STATED.exec(xmp)?.[1] ?? null);
}

const XMP_END = '</x:xmpmeta>';
// The packet precedes or follows the picture, with at most a manifest beside it.
const ENDS_BYTES = 1024 * 1024;

/** Finds the XMP packet of any file by its marker, as the XMP specification allows. Compressed XMP is not found. */
export function findXmp(file: Uint8Array): string | undefined {
  return findPacket(file.subarray(0, ENDS_BYTES)) ?? findPacket(file.subarray(-ENDS_BYTES));
}

function findPacket(part: Uint8Array): string | undefined {
  // The source type is ASCII. Decoding a picture's bytes as UTF-8 would take ten times as long.
  const text = new TextDecoder('latin1').decode(part);
  const from = text.search(/<x:xmpmeta[\s>]/);
  // Searched once: a regular expression would scan to the end from each of a thousand beginnings.
  const to = from === -1 ? -1 : text.indexOf(XMP_END, from);
  return to === -1 ? undefined : text.slice(from, to + XMP_END.length);
}

/** True if a generative model drew at least a part. */
export const isModelMade = (type: string | null): boolean => type !== null && /trainedAlgorithmicMedia/i.test(type);

/** True if a program drew at least a part, beyond cutting out or correcting. */
export const isMadeByMachine = (type: string | null): boolean =>
  isModelMade(type) || ['compositeSynthetic', 'algorithmicMedia', 'digitalCreation'].includes(type ?? '');
