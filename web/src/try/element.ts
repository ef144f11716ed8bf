/** The element of the start page that is hydrated with a photo. */
export const TRY_HERE = 'try-here';
/** The part of the start page around it. */
export const TRY_SECTION = 'try';
/** Its file input. */
export const TRY_PHOTO = 'try-photo';
