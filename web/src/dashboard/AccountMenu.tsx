import { Menu } from '@base-ui/react/menu';
import { Link } from '@tanstack/react-router';
import { type AccountPart, linkToAccount } from '../account/parts.ts';
import { AccountLabel, type AccountMenuProps, accountClass } from './AccountButton.tsx';
import { themeNames, useUserName } from './logout.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { themes, useTheme, type Theme } from '../ui/theme.ts';
import { CloseRequest } from '../ui/above/CloseRequest.ts';
import { KeyList } from '../ui/above/MenuFrame.tsx';

const shortcuts = [
  ['Generate', 'Ctrl Enter'],
  ['Paste a photo', 'Ctrl V'],
  ['Download, on the result', 'D'],
  ['Copy, on the result', 'C'],
  ['Your photo, in the large view', 'B'],
  ['Zoom, in the large view', '+ − 0 1'],
  ['Next, in the large view', '← →'],
  ['This list', '?'],
] as const;

export function AccountMenu({ isRail, isOpen, onOpen }: AccountMenuProps) {
  const [theme, setTheme] = useTheme();
  return (
    <Menu.Root open={isOpen} onOpenChange={onOpen}>
      <Menu.Trigger className={accountClass(isRail)} aria-label={`Account: ${useUserName()}`}>
        <AccountLabel isRail={isRail} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" side="top" align="start" sideOffset={8}>
          <Menu.Popup className="popup">
            <CloseRequest onClose={() => onOpen(false)} />
            <AccountLink part="profile" icon="person" name="Your account" />
            <AccountLink part="keys" icon="key" name="API keys" />
            <AccountLink part="purchases" icon="credits" name="Purchases" />
            <AccountLink part="data" icon="download" name="Your data" />
            <Menu.LinkItem className="popup-item" closeOnClick href="/developers">
              <Icon name="code" />
              <span className="grows">Developers</span>
            </Menu.LinkItem>
            <div className="popup-line" />
            <Menu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
              <Menu.GroupLabel className="popup-label caption">Theme</Menu.GroupLabel>
              {themes.map((one) => (
                <Menu.RadioItem key={one} value={one} className="popup-item">
                  <span className="grows">{themeNames[one]}</span>
                  <Menu.RadioItemIndicator>
                    <Icon name="check" size={16} />
                  </Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <KeyList shortcuts={shortcuts} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function AccountLink({ part, icon, name }: { part: AccountPart; icon: IconName; name: string }) {
  return (
    <Menu.LinkItem className="popup-item" closeOnClick render={<Link {...linkToAccount(part)} />}>
      <Icon name={icon} />
      <span className="grows">{name}</span>
    </Menu.LinkItem>
  );
}
