/** How a file says that it was made: the IPTC digital source type in its XMP, the last part of the address. */

/** https://cv.iptc.org/newscodes/digitalsourcetype/, November 2026. */
export const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

const STATED =
  /DigitalSourceType(?:>|\s*=\s*["'])\s*(?:https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/)?(\w+)/;

/** @returns the last part of the address, or the word that stands in its place; null where nothing is stated */
export function readSourceType(xmp: string | undefined): string | null {
  return xmp === undefined ? null : (STATED.exec(xmp)?.[1] ?? null);
}

const XMP_PACKET = /<x:xmpmeta[\s>][^]*?<\/x:xmpmeta>/;
// A packet stands before the picture or behind it, and next to it at most a manifest.
const ENDS_BYTES = 1024 * 1024;

/** The XMP of a file of any kind, found as the XMP specification says it can be: by its own mark, uncompressed. */
export function findXmp(file: Uint8Array): string | undefined {
  // What is asked of it is ASCII; as UTF-8 a picture's own bytes would take ten times as long.
  const text = (part: Uint8Array) => new TextDecoder('latin1').decode(part);
  return (
    XMP_PACKET.exec(text(file.subarray(0, ENDS_BYTES)))?.[0] ?? XMP_PACKET.exec(text(file.subarray(-ENDS_BYTES)))?.[0]
  );
}

/** Whether a generative model drew some of it. */
export const isOfModel = (type: string | null): boolean => type !== null && /trainedAlgorithmicMedia/i.test(type);

/** Whether some of it was drawn by a machine at all, and not only cut out or corrected. */
export const isMadeByMachine = (type: string | null): boolean =>
  isOfModel(type) || ['compositeSynthetic', 'algorithmicMedia', 'digitalCreation'].includes(type ?? '');
