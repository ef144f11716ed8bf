/** Id of the element that holds the first call in three languages. */
export const FIRST_CALL = 'first-call';
