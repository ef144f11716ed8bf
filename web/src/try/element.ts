/** The element of the start page that is hydrated with a photo. */
export const TRY_HERE = 'try-here';
