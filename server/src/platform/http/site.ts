import { isSiteWord, type Site } from '@plinth/contract/site';
import { escapeHtml } from './own-page.ts';

const BLOCK = /\{\{(if|unless) (\w+)\}\}(.*?)\{\{end\}\}/gs;
const WORD = /\{\{(\w+)\}\}/g;

/** Fills in the operator's words, as text, where the build left marks (`web/src/ui/pages/site.tsx`). */
export function fillSite(html: string, site: Site): string {
  return html
    .replace(BLOCK, (_block, kind: string, word: string, content: string) =>
      (find(site, word) !== null) === (kind === 'if') ? content : '',
    )
    .replace(WORD, (mark, word: string) => (isSiteWord(word) ? escapeHtml(site[word] ?? '') : mark));
}

function find(site: Site, word: string): string | null {
  if (!isSiteWord(word)) throw new Error(`The pages ask for ${word}, which nobody says. Build them again.`);
  return site[word];
}
