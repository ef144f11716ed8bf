import { sentences } from '@plinth/contract/errors';
import { ERROR_TOAST_MS, LOGOUT_REDIRECT_MS } from '@plinth/contract/limits';
import { leaveTo, markLeaving } from '../auth/useSession.ts';
import { clearWebStorages } from '../platform/storage/database.ts';
import { deleteStored } from '../platform/storage/persistent-store.ts';
import { useApi } from '../platform/useApi.ts';
import { beforeSignOut } from '../platform/useUndoable.ts';
import { useUser } from '../platform/useUser.ts';
import type { Theme } from '../ui/theme.ts';
import { say } from '../ui/above/toast.tsx';

export const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function useUserName(): string {
  return useUser().email.split('@')[0] || 'User';
}

export function useLogout(): () => void {
  const api = useApi();
  const user = useUser();
  const leave = async () => {
    await Promise.all([clearWebStorages(), deleteStored(user.id)]).catch(async () => {
      say.wrong(sentences.logoutIncomplete, { id: 'session' });
      await new Promise((read) => setTimeout(read, ERROR_TOAST_MS));
    });
    leaveTo('/');
  };
  const logout = async () => {
    markLeaving();
    try {
      await Promise.all([...beforeSignOut].map((send) => send()));
      await api.command('/api/v1/auth/sign-out', { method: 'POST' });
      say.done(sentences.loggedOut, { id: 'session' });
    } catch {
      say.wrong(sentences.logoutFailed, { id: 'session' });
    }
    setTimeout(() => void leave(), LOGOUT_REDIRECT_MS);
  };
  return () => void logout();
}
