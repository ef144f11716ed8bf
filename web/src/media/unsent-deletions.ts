import { isGone, isOutcomeUnknown, isSessionOver, toApiError, type Api } from '../platform/api.ts';
import { DELETIONS_KEY } from './deletions-key.ts';

/**
 * Deletions whose time to undo is over, by user. A page that is closed can send only some; the next one sends the rest.
 * Written at once, because a closing page has no later moment.
 */
const keyOf = (userId: string) => DELETIONS_KEY + userId;

export function readUnsent(userId: string): string[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]') as string[];
  } catch {
    return []; // A browser may forbid it.
  }
}

function write(userId: string, ids: readonly string[]): void {
  try {
    if (ids.length === 0) localStorage.removeItem(keyOf(userId));
    else localStorage.setItem(keyOf(userId), JSON.stringify(ids));
  } catch {
    // Full or forbidden: only a page that stays open sends all.
  }
}

export const rememberUnsent = (userId: string, ids: readonly string[]) =>
  write(userId, [...new Set([...readUnsent(userId), ...ids])]);

export const forgetUnsent = (userId: string, id: string) =>
  write(
    userId,
    readUnsent(userId).filter((other) => other !== id),
  );

/** Deletes a result, also after this page is closed. One that is gone counts as deleted. */
export async function deleteMedia(api: Api, mediaId: string): Promise<void> {
  try {
    await api.command(`/api/v1/media/${mediaId}`, { method: 'DELETE', keepalive: true });
  } catch (cause) {
    if (!isGone(cause)) throw cause;
  }
}

/** Sends what an earlier page could not; what gets no answer, or not now, is left to the next page or sign-in. */
export async function finishDeletions(api: Api, userId: string): Promise<void> {
  for (const id of readUnsent(userId)) {
    try {
      await deleteMedia(api, id);
    } catch (cause) {
      const error = toApiError(cause);
      if (isOutcomeUnknown(error) || error.status === 429 || isSessionOver(error)) return;
    }
    forgetUnsent(userId, id);
  }
}
