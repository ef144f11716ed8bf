/** The element of the page that the script takes over. */
export const STATUS_FIGURES = 'status-figures';
