/** Request header with the account id that the page shows. It protects an account that signed in later. */
export const SHOWN_USER_HEADER = 'plinth-shown-user';
