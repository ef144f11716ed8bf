import { relative } from 'node:path';
import type { Plugin } from 'vite';
import { type Catalogue, readCatalogue, REPOSITORY, speaks, translateShell } from './catalogue.ts';
import { translate } from './translate.ts';

/**
 * Builds the pages in the language of a catalogue by replacing the English sentences in the scripts, so a running page
 * looks nothing up. Without a catalogue the sources are built unchanged.
 */
export function speak(cataloguePath: string | undefined): Plugin {
  const catalogue = cataloguePath === undefined ? undefined : readCatalogue(cataloguePath);
  return {
    name: 'sentences',
    enforce: 'pre',
    config: () => ({ define: { 'import.meta.env.VITE_LANGUAGE': JSON.stringify(catalogue?.language ?? 'en-US') } }),
    transform: (source, id) => (catalogue === undefined ? undefined : write(source, id, catalogue)),
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => (catalogue === undefined ? html : translateShell(html, catalogue)),
    },
  };
}

/** File that holds the server's translated sentences, keyed by their English text. */
const OF_SERVER = 'web/src/platform/server-sentences.ts';

function write(source: string, id: string, { lookup, ofServer }: Catalogue) {
  const path = relative(REPOSITORY, id).replaceAll('\\', '/');
  if (path === OF_SERVER) return { code: source.replace('= {}', `= ${JSON.stringify(ofServer)}`), map: null };
  return speaks(path) ? { code: translate(id, source, lookup), map: null } : undefined;
}
