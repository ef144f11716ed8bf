import { Drawer } from '@base-ui/react/drawer';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { themeNames, useLogout, useUserName } from './account.ts';
import { CreditBalance } from './credits/CreditBalance.tsx';
import './credits/credits.css';
import type { Followed } from './generations/running.ts';
import { TrayRows, trayTitle } from './generations/Tray.tsx';
import { countRunning, type useTray } from './generations/useTray.ts';
import { menuTools } from './navigation.ts';
import { useUser } from './SignedIn.tsx';
import { buttonClass } from './ui/button-class.ts';
import { Icon } from './ui/icons.tsx';
import { Logo } from './ui/Logo.tsx';
import { themes, useTheme } from './ui/theme.ts';

/** Logo, what runs, the balance, and the menu with everything else. */
export function PhoneTop({ tray }: { tray: ReturnType<typeof useTray> }) {
  return (
    <header className="phone-top">
      <Logo />
      <span className="grow" />
      {tray.rows.length > 0 && <RunningSheet tray={tray} />}
      <Link className={`${buttonClass({ look: 'bare' })} credit num`} to="/dashboard/credits">
        <Icon name="credits" />
        <CreditBalance />
      </Link>
      <MenuDrawer />
    </header>
  );
}

/** The bottom bar: the tools of the menu, then the history. */
export function PhoneTabs({ running }: { running: Followed }) {
  return (
    <nav className="tabs" aria-label="Main" style={{ gridTemplateColumns: `repeat(${menuTools.length + 1}, 1fr)` }}>
      {menuTools.map(({ id, to, menu, tab, icon }) => (
        <Link key={id} to={to}>
          <Icon name={icon} />
          <span aria-hidden="true">{tab}</span>
          <span className="sr-only">{menu}</span>
          <RunningDot count={countRunning(running, id)} />
        </Link>
      ))}
      <Link to="/dashboard/history">
        <Icon name="clock" />
        History
      </Link>
    </nav>
  );
}

function RunningDot({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <span className="dot num" aria-hidden="true">
        {count}
      </span>
      <span className="sr-only">, {count} running</span>
    </>
  );
}

function RunningSheet({ tray }: { tray: ReturnType<typeof useTray> }) {
  const user = useUser();
  const [isOpen, setIsOpen] = useState(false);
  const count = tray.running.length;
  return (
    <Drawer.Root open={isOpen} onOpenChange={setIsOpen}>
      <Drawer.Trigger className="chip run num" aria-label={trayTitle(count)}>
        {count > 0 ? <span className="spin" aria-hidden="true" /> : <Icon name="check" size={16} />}
        {tray.rows.length}
      </Drawer.Trigger>
      <Drawer.Portal>
        <Drawer.Backdrop className="scrim" />
        <Drawer.Viewport>
          <Drawer.Popup className="drawer sheet">
            <div className="flex items-center justify-between py-1 pr-2 pl-4">
              <Drawer.Title className="ui">{trayTitle(count)}</Drawer.Title>
              <Drawer.Close className={buttonClass({ look: 'bare', square: true })} aria-label="Close">
                <Icon name="close" />
              </Drawer.Close>
            </div>
            <TrayRows rows={tray.rows} userId={user.id} onShow={() => setIsOpen(false)} />
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}

function MenuDrawer() {
  const [isOpen, setIsOpen] = useState(false);
  const [theme, setTheme] = useTheme();
  const name = useUserName();
  const logout = useLogout();
  const close = () => setIsOpen(false);
  return (
    <Drawer.Root open={isOpen} onOpenChange={setIsOpen} swipeDirection="right">
      <Drawer.Trigger className={buttonClass({ look: 'bare', square: true })} aria-label="Menu">
        <Icon name="menu" />
      </Drawer.Trigger>
      <Drawer.Portal>
        <Drawer.Backdrop className="scrim" />
        <Drawer.Viewport>
          <Drawer.Popup className="drawer">
            <div className="mb-3 flex items-center justify-between pl-3">
              <Drawer.Title className="ui">{name}</Drawer.Title>
              <Drawer.Close className={buttonClass({ look: 'bare', square: true })} aria-label="Close">
                <Icon name="close" />
              </Drawer.Close>
            </div>
            <nav className="nav" aria-label="Tools" onClick={close}>
              {menuTools.map(({ id, to, menu, icon }) => (
                <Link key={id} to={to}>
                  <Icon name={icon} />
                  <span>{menu}</span>
                </Link>
              ))}
            </nav>
            <nav className="nav" aria-label="Account" onClick={close}>
              <Link to="/dashboard/history">
                <Icon name="clock" />
                <span>History</span>
              </Link>
              <Link to="/dashboard/credits">
                <Icon name="credits" />
                <CreditBalance />
              </Link>
              <Link to="/dashboard/change-password">
                <Icon name="key" />
                <span>Change Password</span>
              </Link>
            </nav>
            <div className="mt-4 grid gap-2 px-3">
              <span className="tag">Theme</span>
              <div className="seg three" role="group" aria-label="Theme">
                {themes.map((one) => (
                  <button key={one} type="button" aria-pressed={theme === one} onClick={() => setTheme(one)}>
                    {themeNames[one]}
                  </button>
                ))}
              </div>
            </div>
            <div className="nav mt-auto pt-4">
              <button type="button" onClick={logout}>
                <Icon name="leave" />
                <span>Logout</span>
              </button>
            </div>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  );
}
