const built: unknown = import.meta.env.VITE_LANGUAGE;

/** BCP 47 tag of this page's language. Set at build time, one build per language. */
export const LANGUAGE = typeof built === 'string' ? built : 'en-US';
