/** The product's mark, inline for the pages that the server writes itself. */
export const MARK = `<svg width="22" height="24" viewBox="0 0 24 26" aria-hidden="true"><circle cx="12.5" cy="8.5" r="8.5" fill="#12905b"/><path fill="currentColor" d="M4 8.5h6.5V26H4z"/></svg>`;
