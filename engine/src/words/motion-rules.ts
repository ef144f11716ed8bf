/** The rows of `assets/words/motion-rules.psv`. */
import { readFileSync } from 'node:fs';

export type Rule = { kind: string; name: string; words: RegExp };

export const rules = readFileSync(new URL('../../assets/words/motion-rules.psv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Rule => {
    const [kind = '', name = '', patterns = ''] = line.split('|');
    return { kind, name, words: new RegExp(`\\b(?:${patterns.split(', ').map(compile).join('|')})`, 'g') };
  });

/** A pattern of the table as a regular expression. */
function compile(pattern: string): string {
  let [text, glue] = ['', ''];
  for (const token of pattern.split(' ')) {
    const either = token.replace(/^[~!]/, '').replaceAll('/', '|').replaceAll('*', '\\w*').replaceAll('-', '[- ]?');
    if (token.startsWith('!')) text += `(?! (?:${either})\\b)`;
    else if (token.startsWith('~')) text += ` (?:\\w+ ){0,${either || 1}}`;
    else text += `${glue}(?:${either.replaceAll('+', '(?:s|es|e|ed|[ntpb]?ing)?')})\\b`;
    glue = token.startsWith('~') ? '' : ' ';
  }
  return text;
}

/** The words that are asked for by a name. */
export function wordsOf(name: string): RegExp {
  const rule = rules.find((one) => one.kind === 'word' && one.name === name);
  if (!rule) throw new Error(`no words ${name}`);
  return rule.words;
}
