import { sentences } from '@plinth/contract/errors';
import { returnAfterSignIn } from '../auth/inside.ts';
import { markLeaving } from '../auth/useSession.ts';
import { clearWebStorages, forgetKept } from '../platform/browser-store.ts';
import { useApi } from '../platform/useApi.ts';
import { useUser } from '../platform/useUser.ts';
import { sayOnNextPage } from '../ui/toast.tsx';

export const EXPORT_PATH = '/api/v1/account/export';

/**
 * Deletes the account, forgets what this browser kept, and leads to the door. The password is null where there is none.
 */
export function useDeletion(): (password: string | null) => Promise<void> {
  const api = useApi();
  const user = useUser();
  return async (password) => {
    // The end of the session must not move the page before its last sentence is kept.
    markLeaving();
    try {
      await api.command('/api/v1/account', { method: 'DELETE', body: password === null ? {} : { password } });
    } catch (cause) {
      markLeaving(false);
      throw cause;
    }
    // The account is gone in any case; what this browser kept goes with its last tab.
    await Promise.allSettled([clearWebStorages(), forgetKept(user.id)]);
    sayOnNextPage(sentences.accountDeleted);
    window.location.replace('/login');
  };
}

export function returnHereAfterSignIn(): void {
  returnAfterSignIn('/dashboard/account/data?delete=');
}
