/** Ids of the elements of public pages that the script takes over, each with what stands in it. */
export const HERO_PICTURE = 'hero-picture';
export const FIRST_CALL = 'first-call';
export const STATUS_FIGURES = 'status-figures';
export const VERIFY_HERE = 'verify-here';
/** Only once it has a photo. */
export const TRY_HERE = 'try-here';
export const TRY_PHOTO = 'try-photo';
export const TRY_SECTION = 'try';
