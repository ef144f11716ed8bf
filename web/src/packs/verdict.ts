import { type Pack, type PackCheck, packs, type RuleId, sayEnough } from '@plinth/contract/packs';
import { capital } from '../ui/format.ts';

export type Verdict = { kind: 'ready' | 'mend' | 'no'; says: string };

/** Verdict on a result: whether the pack makes its file, why not, or what its shop would object to. */
export function judgeExport({ pack, refusal, canFix, ready }: PackCheck, isCutout: boolean): Verdict {
  if (refusal === null && (ready || canFix)) return { kind: 'ready', says: ready ? 'Ready' : 'Adjusted to fit' };
  if (refusal === null) return LASTING;
  if (isCutoutEnough({ refusal, canFix, ready }))
    return { kind: 'mend', says: ready ? AS_IT_IS : 'Remove the background first.' };
  return { kind: 'no', says: `Too small. ${sayEnough([pack], isCutout || refusal === 'cutout_needed')}.` };
}

/** True if only the background keeps the pack from making its file. */
export const isCutoutEnough = ({ refusal, canFix, ready }: Pick<PackCheck, 'refusal' | 'canFix' | 'ready'>): boolean =>
  refusal === 'cutout_needed' && (canFix || ready);

/** Whether, by `judgePicture`, the shop accepts the picture and only our file of it needs a cut-out. */
const AS_IT_IS = 'Accepted as it is. A file on white needs the background removed.';

/** Rules that the pack's file cannot fix: only how the picture was made persists in every file. */
const LASTING: Verdict = { kind: 'mend', says: 'This shop wants no picture that a model drew.' };

export function judgePicture({ ready, canFix, refusal, rules }: PackCheck): Verdict {
  if (ready && rules.every(({ passed }) => passed)) return { kind: 'ready', says: 'Ready as it is' };
  if (ready) return { kind: 'ready', says: 'Accepted, could be better' };
  if (canFix) return { kind: 'mend', says: 'Remove the background, then export' };
  return refusal === null ? { ...LASTING, kind: 'no' } : { kind: 'no', says: 'Needs a larger picture' };
}

/** The measured rules in a seller's words. */
const FAULTS: Partial<Record<RuleId, string>> = {
  'background-white': 'The background is not pure white',
  'has-transparency': 'The background is not transparent',
};

/**
 * Returns the reason of the verdict: what prevents the file, else the first mandatory rule that failed, else a
 * recommendation. Undefined if there is none.
 */
export function findFault({ pack, ready, canFix, refusal, rules }: PackCheck): string | undefined {
  const fault = rules.find(({ passed, level }) => !passed && level === 'must');
  const says = fault && (FAULTS[fault.id] ?? capital(fault.measured));
  if (!ready && !canFix && refusal !== null)
    return [sayEnough([pack], packs[pack].needs === 'cutout'), says && `${says}.`].filter(Boolean).join('. ');
  const better = rules.find(({ passed }) => !passed);
  return says ?? (better && `Better: ${better.says.charAt(0).toLowerCase()}${better.says.slice(1)}`);
}

/** Number of marketplaces that a picture is ready for; our own file formats do not count as shops. */
export function sayReady(checks: readonly PackCheck[]): string {
  const shops = checks.filter(({ pack }) => packs[pack].picture.width !== null);
  return `Ready for ${shops.filter(({ ready }) => ready).length} of ${shops.length} marketplaces`;
}

export function sayFile({ picture }: Pack): string {
  const kind = picture.contentType === 'image/png' ? 'PNG' : 'JPEG';
  return picture.width === null
    ? `${kind}, trimmed to the product`
    : `${kind}, up to ${picture.width} × ${picture.height}`;
}
