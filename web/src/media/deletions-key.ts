/** The user's id follows. In a file of its own, so that pages without unsent deletions load no more than this. */
export const DELETIONS_KEY = 'plinth-deleting-';
