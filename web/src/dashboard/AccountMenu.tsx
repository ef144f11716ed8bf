import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { EXPORT_PATH } from '../account/account.ts';
import { AccountLabel, accountClass } from './AccountButton.tsx';
import { themeNames, useUserName } from './logout.ts';
import { Icon } from '../ui/icons.tsx';
import { themes, useTheme, type Theme } from '../ui/theme.ts';

const shortcuts = [
  ['Generate', 'Ctrl Enter'],
  ['Paste a photo', 'Ctrl V'],
  ['Download, on the result', 'D'],
  ['Copy, on the result', 'C'],
] as const;

/** The person's account, the theme, and what the keyboard does. */
export function AccountMenu({ isRail }: { isRail: boolean }) {
  const name = useUserName();
  const [theme, setTheme] = useTheme();
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={accountClass(isRail)} aria-label={`Account: ${name}`}>
        <AccountLabel isRail={isRail} name={name} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" side="top" align="start" sideOffset={8}>
          <Menu.Popup className="popup account-popup">
            <Menu.LinkItem className="popup-item" closeOnClick render={<Link to="/dashboard/account" />}>
              <Icon name="person" />
              <span className="grow">Your account</span>
            </Menu.LinkItem>
            <Menu.LinkItem className="popup-item" closeOnClick render={<Link to="/dashboard/account" hash="keys" />}>
              <Icon name="key" />
              <span className="grow">API keys</span>
            </Menu.LinkItem>
            <Menu.LinkItem className="popup-item" href={EXPORT_PATH} download closeOnClick>
              <Icon name="download" />
              <span className="grow">Download your data</span>
            </Menu.LinkItem>
            <div className="popup-line" />
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
              <Menu.GroupLabel className="popup-label tag">Keyboard</Menu.GroupLabel>
              {shortcuts.map(([what, keys]) => (
                <div key={what} className="popup-key">
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
