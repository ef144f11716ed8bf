export const HISTORY_PATH = '/dashboard/history';

/** Where a result is seen at full size. */
export function viewerPath(mediaId: string): string {
  return `${HISTORY_PATH}/${mediaId}`;
}
