import { linkOptions } from '@tanstack/react-router';

export const HISTORY_PATH = '/dashboard/history';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The results that can be leafed through, where they are not those of the history. */
    among?: readonly string[];
  }
}

/**
 * Leads to where a result is seen at full size, above the history, `among` others that can be leafed through; without
 * one, the history itself.
 */
export function linkToHistory(mediaId?: string, among?: readonly string[]) {
  return linkOptions({ to: `${HISTORY_PATH}/{-$mediaId}`, params: { mediaId }, ...(among && { state: { among } }) });
}
