/**
 * The three pairs of the picker, first the one whose two pictures meet best at the seam. They stand apart from the rest
 * of the page's content because they are hydrated.
 */
export const heroPairs = [
  {
    key: 'candle',
    name: 'Scented candle',
    line: 'Made from a phone photo. Background customization, 1 credit.',
    alt: 'The same white candle on a stone block before a terracotta wall',
  },
  {
    key: 'mug',
    name: 'Stoneware mug',
    line: 'Made from a phone photo. Background customization, 1 credit.',
    alt: 'The same red mug on a marble counter before a kitchen shelf',
  },
  {
    key: 'serum',
    name: 'Vitamin serum',
    line: 'Made from a phone photo. Background customization, 1 credit.',
    alt: 'The same brown bottle on marble before a sand-coloured wall',
  },
] as const;

/**
 * Where the seam stands at first and after another pair was picked, in percent from the left; landing.css says the
 * same.
 */
export const SEAM_START = 47;
