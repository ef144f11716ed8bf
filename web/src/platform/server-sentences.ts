/**
 * What the server says, by its English words, in the language of this build: `web/sentences/plugin.ts` writes it. An
 * English page has nothing to look up.
 */
const translated: Record<string, string> = {};

/** A sentence of the server in the language of this page; English where its catalogue has none. */
export const inOurLanguage = (sentence: string): string =>
  import.meta.env.VITE_LANGUAGE === 'en-US' ? sentence : (translated[sentence] ?? sentence);
