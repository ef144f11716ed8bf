/** The element of the page that the script takes over. */
export const VERIFY_HERE = 'verify-here';
