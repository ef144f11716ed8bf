import { findSentences, type Part, type Range, type Sentence } from './find.ts';

/** Returns the translation of a sentence, one form for each plural of the language; undefined if there is none. */
export type Lookup = (id: string) => readonly string[] | undefined;

/** Returns the source with every sentence translated. @throws Error if a translation loses a placeholder or element */
export function translate(path: string, source: string, lookup: Lookup): string {
  const sentences = findSentences(path, source).filter(({ id }) => lookup(id) !== undefined);
  return write({ start: 0, end: source.length });

  /** Returns a range of the source with its outermost sentences replaced. */
  function write({ start, end }: Range): string {
    const written: string[] = [];
    let at = start;
    for (const sentence of sentences) {
      if (sentence.start < at || sentence.end > end) continue;
      written.push(source.slice(at, sentence.start), say(sentence, lookup(sentence.id) ?? []));
      at = sentence.end;
    }
    return [...written, source.slice(at, end)].join('');
  }

  function say({ id, kind, many, parts }: Sentence, forms: readonly string[]): string {
    const [text = id] = forms;
    if (many !== undefined) return JSON.stringify(forms);
    if (kind === 'string') return JSON.stringify(text);
    if (kind === 'attribute') return `{${JSON.stringify(text)}}`;
    const marked = listMarked(parts);
    const tokens = text.split(MARK);
    const missing = marked.find(({ mark }) => !tokens.some((token) => toOpening(token) === mark));
    if (missing !== undefined) throw new Error(`"${text}" lacks ${missing.mark} of "${id}"`);
    const pieces = tokens.filter((token) => token !== '').map((token) => sayToken(token, kind, marked));
    return kind === 'template' ? `\`${pieces.join('')}\`` : pieces.join('');
  }

  function sayToken(token: string, kind: Sentence['kind'], marked: Marked[]): string {
    const part = marked.find(({ mark }) => mark === toOpening(token));
    if (part === undefined) return kind === 'template' ? escapeTemplate(token) : `{${JSON.stringify(token)}}`;
    if (kind === 'template') return `\${${write(part)}}`;
    if (part.kind === 'place' || token.endsWith('/>')) return write(part);
    return write(token.startsWith('</') ? part.closing : part.opening);
  }
}

/** `{0}`, `<0>`, `</0>`, `<0/>` */
const MARK = /(\{\d+\}|<\/?\d+\/?>)/;
const toOpening = (token: string): string => token.replace(/^<\/?(\d+)\/?>$/, '<$1>');

type Marked = Exclude<Part, { kind: 'words' }>;

function listMarked(parts: Part[]): Marked[] {
  return parts.flatMap((part) => {
    if (part.kind === 'words') return [];
    return part.kind === 'place' ? [part] : [part, ...listMarked(part.parts)];
  });
}

const escapeTemplate = (text: string): string => text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&');
