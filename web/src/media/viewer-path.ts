import { linkOptions } from '@tanstack/react-router';

export const HISTORY_PATH = '/dashboard/history';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The results to page through, if they are not those of the history. */
    among?: readonly string[];
  }
}

/**
 * Link to a result at full size above the history; `among` are the results to page through. Without an id, the history.
 */
export function linkToHistory(mediaId?: string, among?: readonly string[]) {
  return linkOptions({ to: `${HISTORY_PATH}/{-$mediaId}`, params: { mediaId }, ...(among && { state: { among } }) });
}
