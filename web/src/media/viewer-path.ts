import { linkOptions } from '@tanstack/react-router';

export const HISTORY_PATH = '/dashboard/history';

/** Leads to where a result is seen at full size, above the history; without one, the history itself. */
export function linkToHistory(mediaId?: string) {
  return linkOptions({ to: `${HISTORY_PATH}/{-$mediaId}`, params: { mediaId } });
}
