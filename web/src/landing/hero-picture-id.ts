/** The element of the start page that comes alive: the seam needs a script, everything else does without. */
export const HERO_PICTURE = 'hero-picture';
