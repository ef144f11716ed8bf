import { Drawer } from '@base-ui/react/drawer';
import type { ReactNode } from 'react';
import { ACCOUNT_PATH } from '../account/parts.ts';
import { themeNames, useLogout, useUserName } from './logout.ts';
import { TrayRows, trayTitle } from '../generations/tray/Tray.tsx';
import type { useTray } from '../generations/tray/useTray.ts';
import { NavRow, ToolRows } from './NavRow.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Segmented } from '../ui/fields/Segmented.tsx';
import { useTheme } from '../ui/theme.ts';
import { CloseRequest } from '../ui/above/CloseRequest.ts';

type DrawerProps = { isOpen: boolean; onOpen: (isOpen: boolean) => void };

type FrameProps = DrawerProps & { title: string; from: 'below' | 'right'; children: ReactNode };

function DrawerFrame({ isOpen, onOpen, title, from, children }: FrameProps) {
  return (
    <Drawer.Root open={isOpen} onOpenChange={onOpen} swipeDirection={from === 'right' ? 'right' : 'down'}>
      <Drawer.Portal>
        <Drawer.Backdrop className="scrim" />
        <Drawer.Viewport>
          <Drawer.Popup className={from === 'right' ? 'drawer column' : 'drawer sheet column'}>
            <CloseRequest onClose={() => onOpen(false)} />
            <div className="drawer-head spread">
              <Drawer.Title className="control-text cut-off">{title}</Drawer.Title>
              <Drawer.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
                <Icon name="close" />
              </Drawer.Close>
            </div>
            {children}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}

export function RunningSheet({ tray, isOpen, onOpen }: DrawerProps & { tray: ReturnType<typeof useTray> }) {
  const handleOpen = (open: boolean) => {
    onOpen(open);
    if (!open && tray.runningCount === 0) tray.dismiss();
  };
  return (
    <DrawerFrame isOpen={isOpen} onOpen={handleOpen} title={trayTitle(tray.runningCount)} from="below">
      <TrayRows {...tray} onShow={() => onOpen(false)} />
    </DrawerFrame>
  );
}

export function MakeSheet(drawer: DrawerProps) {
  return (
    <DrawerFrame {...drawer} title="Make" from="below">
      <nav className="nav-list of-sheet" aria-label="Tools" onClick={() => drawer.onOpen(false)}>
        <ToolRows />
      </nav>
    </DrawerFrame>
  );
}

export function MenuDrawer(drawer: DrawerProps) {
  const [theme, setTheme] = useTheme();
  const name = useUserName();
  const logout = useLogout();
  return (
    <DrawerFrame {...drawer} title={name} from="right">
      <nav className="nav-list" aria-label="Account" onClick={() => drawer.onOpen(false)}>
        <NavRow to="/dashboard/check" icon="check" label="Check a picture" />
        <NavRow to={ACCOUNT_PATH} icon="person" label="Your account" />
        <NavRow to="/dashboard/change-password" icon="key" label="Change Password" />
        <a href="/developers">
          <Icon name="code" />
          <span>Developers</span>
        </a>
      </nav>
      <div className="drawer-theme stack">
        <span className="caption">Theme</span>
        <Segmented label="Theme" names={themeNames} value={theme} onChange={setTheme} />
      </div>
      <div className="nav-list drawer-leave">
        <button type="button" onClick={logout}>
          <Icon name="leave" />
          <span>Logout</span>
        </button>
      </div>
    </DrawerFrame>
  );
}
