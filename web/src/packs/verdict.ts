import { type Pack, type PackCheck, sayEnough } from '@plinth/contract/packs';

/** What is said of a pack in one line, and how it is meant. */
export type Verdict = { kind: 'ready' | 'file' | 'mend' | 'no'; says: string };

/** Of a result: whether the pack makes its file, and why not. A file that is made passes everything. */
export function judgeExport({ pack, refusal, canFix, ready }: PackCheck, isCutout: boolean): Verdict {
  if (refusal === null) return { kind: 'file', says: ready ? 'Ready' : 'Mended for you' };
  if (refusal === 'cutout_needed' && canFix) return { kind: 'mend', says: 'Remove the background first.' };
  if (refusal === 'cutout_needed') return { kind: 'no', says: 'Needs a cut-out, and a larger picture.' };
  return { kind: 'no', says: `Too small. ${sayEnough([pack], isCutout)}.` };
}

/** Of any picture: whether it can be handed in as it is. */
export function judgePicture({ ready, canFix }: PackCheck): Verdict {
  if (ready) return { kind: 'ready', says: 'Ready as it is' };
  if (canFix) return { kind: 'mend', says: 'Remove the background, then export' };
  return { kind: 'no', says: 'Needs a larger picture' };
}

/** What was measured where the first rule that is a must is not passed; undefined where all are. */
export function findFault({ rules }: Pick<PackCheck, 'rules'>): string | undefined {
  const fault = rules.find(({ passed, level }) => !passed && level === 'must');
  return fault && capital(fault.measured);
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The size and kind of a pack's file, in words. */
export function sayFile({ picture }: Pack): string {
  const kind = picture.contentType === 'image/png' ? 'PNG' : 'JPEG';
  return picture.width === null ? `${kind}, trimmed to the product` : `${kind}, ${picture.width} × ${picture.height}`;
}
