/** The element of the start page that comes alive with a photo. */
export const TRY_HERE = 'try-here';
