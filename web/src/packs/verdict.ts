import type { Pack, PackCheck } from '@plinth/contract/packs';

/** What is said of a pack in one line, and how it is meant. */
export type Verdict = { kind: 'ready' | 'file' | 'mend' | 'no'; says: string };

/** Of a result: whether the pack makes its file, and why not. A file that is made passes everything. */
export function judgeExport({ refusal, canFix }: PackCheck): Verdict {
  if (refusal === null) return { kind: 'file', says: 'The file passes every rule.' };
  if (refusal === 'cutout_needed' && canFix) return { kind: 'mend', says: 'Remove the background first.' };
  if (refusal === 'cutout_needed') return { kind: 'no', says: 'Needs a cut-out, and a larger picture.' };
  return { kind: 'no', says: 'The picture is too small for this marketplace.' };
}

/** Of any picture: whether it can be handed in as it is. */
export function judgePicture({ ready, canFix, refusal }: PackCheck): Verdict {
  if (ready) return { kind: 'ready', says: 'Ready as it is' };
  if (canFix && refusal === 'cutout_needed') return { kind: 'mend', says: 'Remove the background, then export' };
  if (canFix) return { kind: 'mend', says: 'An export mends it' };
  return { kind: 'no', says: 'Needs a larger picture' };
}

/** The size and kind of a pack's file, in words. */
export function sayFile({ picture }: Pack): string {
  const kind = picture.contentType === 'image/png' ? 'PNG' : 'JPEG';
  return picture.width === null ? `${kind}, trimmed to the product` : `${kind}, ${picture.width} × ${picture.height}`;
}
