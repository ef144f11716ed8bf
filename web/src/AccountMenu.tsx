import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import { LOGOUT_REDIRECT_MS } from '@plinth/contract/limits';
import { forgetUploads } from './generations/recent-uploads.ts';
import { useApi } from './platform/useApi.ts';
import { useUser } from './SignedIn.tsx';
import { Icon } from './ui/icons.tsx';
import { themes, useTheme, type Theme } from './ui/theme.ts';
import { say } from './ui/toast.tsx';

export const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const shortcuts = [
  ['Generate', 'Ctrl Enter'],
  ['Paste a photo', 'Ctrl V'],
  ['Download the result', 'D'],
  ['Copy the result', 'C'],
] as const;

/** The person, the theme, and the keys. */
export function AccountMenu({ isRail }: { isRail: boolean }) {
  const name = useUserName();
  const [theme, setTheme] = useTheme();
  return (
    <Menu.Root>
      <Menu.Trigger className={isRail ? 'btn bare square' : 'person'} aria-label={`Account: ${name}`}>
        {isRail ? <Icon name="person" /> : <b>{name}</b>}
        {!isRail && <Icon name="up" size={16} />}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" side="top" align="start" sideOffset={8}>
          <Menu.Popup className="popup w-62">
            <Menu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
              <Menu.GroupLabel className="popup-label tag">Theme</Menu.GroupLabel>
              {themes.map((one) => (
                <Menu.RadioItem key={one} value={one} className="popup-item">
                  <span className="grow">{themeNames[one]}</span>
                  <Menu.RadioItemIndicator>
                    <Icon name="check" size={16} />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <div className="popup-line" />
            <Menu.Group>
              <Menu.GroupLabel className="popup-label tag">
                Keys, the last two while the result has focus
              </Menu.GroupLabel>
              {shortcuts.map(([what, keys]) => (
                <div key={what} className="flex min-h-8 items-center justify-between px-2.5">
                  <span className="small">{what}</span>
                  <span className="tag">{keys}</span>
                </div>
              ))}
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** The local part of the email. */
export function useUserName(): string {
  return useUser().email.split('@')[0] || 'User';
}

/** Signs out, forgets what this browser kept, and goes to the start page a second later. */
export function useLogout(): () => void {
  const api = useApi();
  const user = useUser();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    localStorage.clear();
    sessionStorage.clear();
    await forgetUploads(user.id);
    await navigate({ to: '/', replace: true });
    queryClient.clear();
  };
  const logout = async () => {
    try {
      await api.command('/api/v1/auth/sign-out', { method: 'POST' });
      say.done(sentences.loggedOut, { id: 'session' });
      setTimeout(() => void leave(), LOGOUT_REDIRECT_MS);
    } catch {
      say.wrong(sentences.logoutFailed, { id: 'session' });
      await leave();
    }
  };
  return () => void logout();
}
