/** Header of a page's requests: the id of the account that it shows. They act for nobody who has signed in since. */
export const SHOWN_USER_HEADER = 'plinth-shown-user';
