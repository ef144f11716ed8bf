/** Rules that tell text shown to people from names used by the program. */

/** Places that never contain text for people. */
export const NO_USER_TEXT = {
  /** Their text is code. */
  elements: new Set(['code', 'pre', 'script', 'style', 'Code']),
  /** Attributes and properties that name, address, draw or style something; `source` is the source of cited figures. */
  attributes: new Set([
    ...['className', 'classNames', 'd', 'fill', 'gradientTransform', 'href', 'media', 'rel', 'shownFor'],
    ...['source', 'src', 'stopColor', 'style', 'transform', 'type'],
  ]),
  /** Calls whose strings nobody reads: developer errors, selectors, API shapes. */
  calls: new Set([
    ...['Error', 'TypeError', 'RegExp', 'URL', 'querySelector', 'querySelectorAll', 'closest', 'includes'],
    ...['named', 'NotFetched', 'Unreadable'],
  ]),
};

/** Storage keys, lock names and class names that look like words of a sentence. */
const NAMES = new Set(['events of {0}', 'foot of {0}', 'layer before', 'layer after', 'input, video', 'by you']);

const WORD = /\p{L}{2}/u;
const PLACE = /\{\d+\}/g;
/** A word with an initial capital. */
const CAPITAL = /^[ “"'(…]*\p{Lu}+\p{Ll}*(-\p{Ll}|\s|$|[^\p{L}\d{-])/u;
/** Two words, or one word beside a percentage or an inserted value. */
const WORDS = /(\p{L}{2}|\d %|\{\d+\})['’)”,.:;!?…%]*\s+[('“×]*(\p{L}|\{\d+\})/u;
const PLAIN = /^[\p{L}\d\s{}'’“”".,:;!?…()×·%$&/+-]+$/u;
/** `translate(`, `(width < `, `{{if `, `drop-well {0}`: text for style sheets, browsers and the server. */
const CODE = /[a-z]\(|^\([a-z-]+[: ]|\{\{|^[a-z\d]+(-[a-z\d]+)+( |$)/;

export function isUserTextInMarkup(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('{{');
}

/** True if a string or template is text for people. `attribute` is the attribute it is assigned to. */
export function isUserText(text: string, attribute?: string): boolean {
  if (NAMES.has(text) || (attribute !== undefined && isName(attribute))) return false;
  const words = text.replaceAll(PLACE, '');
  if (!WORD.test(words) || /^[\P{L}\p{Lu}]+$/u.test(words) || CODE.test(text)) return false;
  return CAPITAL.test(text) || (WORDS.test(text) && PLAIN.test(text));
}

export const isName = (attribute: string): boolean =>
  NO_USER_TEXT.attributes.has(attribute) || attribute.startsWith('data-');
