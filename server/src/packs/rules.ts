import { packIds, type PackId } from '@plinth/contract/pack-names';
import { type PackCheck, type PackFigures, packs, type Rule, type RuleId, sayRule } from '@plinth/contract/packs';
import { isMadeByMachine, isModelMade } from '@plinth/contract/source-type';
import type { Measures } from './measure.ts';
import { findRefusal, NO_LOOK } from './arrange.ts';

/** Checks a measured picture by every pack's rules. Each finding is a plain sentence with the figure. */

export function checkPacks(measures: Measures): PackCheck[] {
  return packIds.map((id) => checkPack(id, measures));
}

function checkPack(id: PackId, measures: Measures): PackCheck {
  const pack = packs[id];
  const rules = pack.rules.map((rule) => {
    const { passed, measured } = judge[rule.id](measures, rule as never);
    return { id: rule.id, level: rule.level, says: sayRule(rule), passed, measured };
  });
  const ready = rules.every(({ level, passed }) => passed || level === 'advice');
  const refusal = findRefusal(measures.subject, pack, NO_LOOK);
  // A file's statement about its making also holds for files derived from it.
  const isLasting = rules.some(({ id: rule, level, passed }) => rule === 'ai-allowed' && level === 'must' && !passed);
  return {
    pack: id,
    ready,
    canFix: !ready && !isLasting && (refusal === null || canCutOut(measures, pack, refusal)),
    refusal,
    rules,
  };
}

/** A cut-out is as large as its product. An undetected one may fill the picture if only a cut-out is missing. */
function canCutOut(measures: Measures, pack: PackFigures, refusal: PackCheck['refusal']): boolean {
  const { width, height, background } = measures;
  const product = measures.product ?? (refusal === 'cutout_needed' ? { width, height } : null);
  return !background.transparent && product !== null && findRefusal({ product }, pack, NO_LOOK) === null;
}

type Verdict = { passed: boolean; measured: string };
type Judge = { [Id in RuleId]: (measures: Measures, rule: Extract<Rule, { id: Id }>) => Verdict };

const NO_PRODUCT: Verdict = { passed: false, measured: 'no product was found in the picture' };

const judge: Judge = {
  'background-white': ({ background: { pixels, notWhite, transparent } }) => {
    if (transparent) return { passed: false, measured: 'the background is transparent, not 255, 255, 255' };
    if (notWhite === 0) return { passed: true, measured: 'all of the background is 255, 255, 255' };
    return { passed: false, measured: `${sayShare(notWhite, pixels)} of the background is not 255, 255, 255` };
  },
  'fills-frame': ({ product, width, height }, { least, most = 1 }) => {
    if (product === null) return NO_PRODUCT;
    const share = product.width >= product.height ? product.width / width : product.height / height;
    // Rounded to whole percent, as displayed.
    const rounded = Math.round(share * 100) / 100;
    return {
      passed: rounded >= least && rounded <= most,
      measured: `the product fills ${formatPercent(share)} of the frame`,
    };
  },
  'size-min': ({ width, height }, rule) => {
    if (rule.side === 'both')
      return { passed: width >= rule.width && height >= rule.height, measured: saySize({ width, height }) };
    const { side, pixels } = rule;
    const length = side === 'longer' ? Math.max(width, height) : Math.min(width, height);
    return { passed: length >= pixels, measured: `the ${side} side has ${formatNumber(length)} pixels` };
  },
  'size-max': ({ width, height }, { side, pixels }) => {
    if (side === 'area') {
      return {
        passed: width * height <= pixels,
        measured: `the picture has ${formatMillions(width * height)} megapixels`,
      };
    }
    const length = side === 'longer' ? Math.max(width, height) : Math.min(width, height);
    return { passed: length <= pixels, measured: `the ${side} side has ${formatNumber(length)} pixels` };
  },
  bytes: ({ bytes }, { most }) => ({ passed: bytes <= most, measured: `the file has ${formatMillions(bytes)} MB` }),
  'file-type': ({ kind }, { types }) => ({ passed: types.includes(kind), measured: `the file is a ${kind}` }),
  'file-format': ({ kind }, { refused }) => ({ passed: !refused.includes(kind), measured: `the file is a ${kind}` }),
  'colour-space': ({ colours }, { spaces }) => ({
    passed: spaces.includes(colours),
    measured:
      colours === 'other RGB' ? 'the colours are RGB with a profile of their own' : `the colours are ${colours}`,
  }),
  square: ({ width, height }) => ({ passed: width === height, measured: saySize({ width, height }) }),
  'no-text': ({ product, letterLines }) => {
    if (product === null) return NO_PRODUCT;
    if (letterLines === 0) return { passed: true, measured: 'no row of letters was found beside the product' };
    return {
      passed: false,
      measured: `${formatNumber(letterLines)} ${letterLines === 1 ? 'row' : 'rows'} of letters beside the product`,
    };
  },
  'one-product': ({ objects }) => {
    if (objects === 0) return NO_PRODUCT;
    if (objects === 1) return { passed: true, measured: 'one product was found, or a set of like ones' };
    return { passed: false, measured: `${formatNumber(objects)} things that differ stand apart` };
  },
  'not-cut-off': ({ product, cutSides }) => {
    if (product === null) return NO_PRODUCT;
    if (cutSides.length === 0) return { passed: true, measured: 'the frame cuts nothing off' };
    return { passed: false, measured: `the frame cuts the product off at the ${cutSides.join(', ')}` };
  },
  'ai-allowed': ({ sourceType }) =>
    isModelMade(sourceType)
      ? { passed: false, measured: `the file says that a generative model drew some of it (${sourceType})` }
      : { passed: true, measured: 'the file does not say that a generative model drew any of it' },
  'sentence-needed': ({ sourceType }) =>
    isMadeByMachine(sourceType)
      ? { passed: false, measured: `say in the listing: "${SENTENCE}"` }
      : { passed: true, measured: 'the file does not say that a machine made any of it' },
  'no-border': ({ borderPx }) =>
    borderPx === 0
      ? { passed: true, measured: 'no border was found' }
      : {
          passed: false,
          measured: `a border of one colour, up to ${formatNumber(borderPx)} pixels wide, runs around it`,
        },
  'whole-product': ({ product, width, height }, { within }) => {
    if (product === null) return NO_PRODUCT;
    const margin = within === 'frame' ? { x: 0, y: 0 } : middleSquare(width, height);
    const over = [
      { side: 'left', by: margin.x - product.left },
      { side: 'top', by: margin.y - product.top },
      { side: 'right', by: product.left + product.width - (width - margin.x) },
      { side: 'bottom', by: product.top + product.height - (height - margin.y) },
    ].filter(({ by }) => by >= 0);
    const where = within === 'frame' ? 'the edge of the picture' : 'the edge of its middle square';
    if (over.length === 0) return { passed: true, measured: `the product keeps clear of ${where}` };
    return {
      passed: false,
      measured: `the product reaches ${where} at the ${over.map(({ side }) => side).join(', ')}`,
    };
  },
  'has-transparency': ({ transparentShare }) => ({
    passed: transparentShare > 0,
    measured: `${transparentShare === 0 ? '0 %' : sayShare(transparentShare, 1)} of the picture is transparent`,
  }),
};

function middleSquare(width: number, height: number): { x: number; y: number } {
  const side = Math.min(width, height);
  return { x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2) };
}

/** A sentence to paste into a listing. */
const SENTENCE = 'Parts of this picture were made with AI or other software.';

const saySize = ({ width, height }: { width: number; height: number }) =>
  `the picture has ${formatNumber(width)} × ${formatNumber(height)} pixels`;
const formatNumber = (value: number) => value.toLocaleString('en-US');
const formatPercent = (share: number) => `${Math.round(share * 100)} %`;
const formatMillions = (value: number) => (value / 1_000_000).toFixed(value < 100_000 ? 2 : 1);

/** Rounds to percent, but never to 0 or to 100 unless exact. */
function sayShare(part: number, whole: number): string {
  const share = (part / whole) * 100;
  if (share < 0.01) return 'less than 0.01 %';
  if (share < 1) return `${share.toFixed(2)} %`;
  return `${part < whole ? Math.min(99, Math.round(share)) : 100} %`;
}
