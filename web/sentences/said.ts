/** Which words of the source are shown to people, and which are names for programs. */

/** Where nothing is said, whatever it looks like. */
export const NEVER_SAID = {
  /** Their text is code. */
  elements: new Set(['code', 'pre', 'script', 'style', 'Code']),
  /** Attributes and properties that name, address, draw or style something; `source` is where figures were read. */
  attributes: new Set([
    ...['className', 'classNames', 'd', 'fill', 'gradientTransform', 'href', 'media', 'rel', 'shownFor'],
    ...['source', 'src', 'stopColor', 'style', 'transform', 'type'],
  ]),
  /** Calls whose words nobody reads: errors for ourselves, selectors, shapes of the API. */
  calls: new Set([
    ...['Error', 'TypeError', 'RegExp', 'URL', 'querySelector', 'querySelectorAll', 'closest', 'includes'],
    ...['named', 'NotFetched', 'Unreadable'],
  ]),
};

/** Keys of what is remembered, names of locks, classes: they look like words of a sentence, and nobody reads them. */
const NAMES = new Set(['events of {0}', 'foot of {0}', 'layer before', 'layer after', 'input, video', 'by you']);

const WORD = /\p{L}{2}/u;
const PLACE = /\{\d+\}/g;
/** A word that begins in upper case. */
const CAPITAL = /^[ “"'(…]*\p{Lu}+\p{Ll}*(-\p{Ll}|\s|$|[^\p{L}\d{-])/u;
/** Two words, or one beside a share or something that is filled in. */
const WORDS = /(\p{L}{2}|\d %|\{\d+\})['’)”,.:;!?…%]*\s+[('“×]*(\p{L}|\{\d+\})/u;
const PLAIN = /^[\p{L}\d\s{}'’“”".,:;!?…()×·%$&/+-]+$/u;
/** `translate(`, `(width < `, `{{if `, `drop-well {0}`: for style sheets, browsers and the server. */
const CODE = /[a-z]\(|^\([a-z-]+[: ]|\{\{|^[a-z\d]+(-[a-z\d]+)+( |$)/;

export function isSaidInMarkup(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('{{');
}

/** Whether a string or template is a sentence or a word for people. `attribute` is what it is given to. */
export function isSaid(text: string, attribute?: string): boolean {
  if (NAMES.has(text) || (attribute !== undefined && isName(attribute))) return false;
  const words = text.replaceAll(PLACE, '');
  if (!WORD.test(words) || /^[\P{L}\p{Lu}]+$/u.test(words) || CODE.test(text)) return false;
  return CAPITAL.test(text) || (WORDS.test(text) && PLAIN.test(text));
}

export const isName = (attribute: string): boolean =>
  NEVER_SAID.attributes.has(attribute) || attribute.startsWith('data-');
