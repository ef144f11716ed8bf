import type { Verified } from '@plinth/contract/origin';

export function sayVerdict({ made, by, changed, signed, type }: Verified): string {
  const since = changed === null ? '' : changed ? ' It was changed since.' : ' It is as it was then.';
  if (made) return `Made here by ${by ?? 'Plinth'}.${since}`;
  if (signed === 'other') return `Not made here. Somebody else signed it.${since}`;
  if (changed === true) return 'What it says of its making was damaged or forged. Nobody vouches for it.';
  return type === null
    ? 'It says nothing of where it comes from.'
    : 'It says how it was made, but nobody signed that: anybody could have written it.';
}

export const SIGNED: Record<Exclude<Verified['signed'], 'none'>, string> = {
  operator: 'by whoever runs this site',
  self: 'by this site, with a certificate that it made for itself',
  other: 'by somebody else',
};

const TYPES: Record<string, string> = {
  algorithmicallyEnhanced: 'Changed by a program, without drawing anything new',
  compositeSynthetic: 'Partly drawn by a program',
  compositeWithTrainedAlgorithmicMedia: 'Partly drawn by a generative model',
  trainedAlgorithmicMedia: 'Drawn by a generative model',
  digitalCapture: 'Taken by a camera',
};

export const sayType = (type: string): string => TYPES[type] ?? type;

const ACTIONS: Record<string, string> = {
  'c2pa.created': 'created',
  'c2pa.opened': 'opened',
  'c2pa.edited': 'edited',
};

export const sayAction = (action: string): string =>
  ACTIONS[action] ?? action.replace(/^c2pa\./, '').replaceAll('_', ' ');

/** Text to paste into a listing; it leaves out what is not true of the picture. */
export const listingSentences = [
  {
    shop: 'Etsy',
    where: 'in the description of the listing',
    text: 'The photos show the item that you get. Their backgrounds were made with an AI tool (Plinth).',
  },
  {
    shop: 'TikTok',
    where: 'in the caption, with the label for AI-generated content switched on',
    text: 'AI-generated: the setting around the product was made with Plinth. The product is real.',
  },
  {
    shop: 'Vinterior',
    where: 'in the description of the piece',
    text: 'Only the background of this picture was edited with AI (Plinth). The piece is shown as it is.',
  },
] as const;
