const built: unknown = import.meta.env.VITE_LANGUAGE;

/** The language of this page as BCP 47 names it. It is set when the page is built, one build per language. */
export const LANGUAGE = typeof built === 'string' ? built : 'en-US';
