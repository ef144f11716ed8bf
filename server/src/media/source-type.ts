/** How a file says that it was made: the IPTC digital source type in its XMP, the last part of the address. */

/** https://cv.iptc.org/newscodes/digitalsourcetype/, November 2026. */
export const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

const STATED =
  /DigitalSourceType(?:>|\s*=\s*["'])\s*(?:https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/)?(\w+)/;

/** @returns the last part of the address, or the word that stands in its place; null where nothing is stated */
export function readSourceType(xmp: Buffer | undefined): string | null {
  return xmp === undefined ? null : (STATED.exec(xmp.toString('utf8'))?.[1] ?? null);
}

/** Whether a generative model drew some of it. */
export const isOfModel = (type: string | null): boolean => type !== null && /trainedAlgorithmicMedia/i.test(type);

/** Whether some of it was drawn by a machine at all, and not only cut out or corrected. */
export const isMadeByMachine = (type: string | null): boolean =>
  isOfModel(type) || ['compositeSynthetic', 'algorithmicMedia', 'digitalCreation'].includes(type ?? '');
