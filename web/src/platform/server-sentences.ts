/**
 * The server's sentences in the language of this build, by their English text. `web/sentences/plugin.ts` fills it; an
 * English page looks nothing up.
 */
const translated: Record<string, string> = {};

/** Returns a sentence of the server in the language of this page; English if it has no translation. */
export const inOurLanguage = (sentence: string): string =>
  import.meta.env.VITE_LANGUAGE === 'en-US' ? sentence : (translated[sentence] ?? sentence);
