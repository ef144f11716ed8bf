import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useLogout } from './logout.ts';
import { AccountButton } from './AccountButton.tsx';
import { CreditBalance, CreditNumber } from '../credits/CreditBalance.tsx';
import { useCredits } from '../credits/useCredits.ts';
import '../credits/credits.css';
import { CATALOGUE_PATH } from './navigation.ts';
import { MaybeTip, NavRow, ToolRows } from './NavRow.tsx';
import { COMPACT, PHONE, useMediaQuery } from '../platform/media-query.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/pages/Logo.tsx';

export function Sidebar() {
  const isCompact = useMediaQuery(COMPACT);
  // When the window narrows to a phone it renders once more before the bars replace it.
  const isRail = !useMediaQuery(PHONE) && isCompact;
  const credits = useCredits();
  const logout = useLogout();
  const sidebar = useCurrentInView(isRail);
  return (
    <header ref={sidebar} className="sidebar column sticks">
      <Logo />
      <nav className="nav-list" aria-label="Tools">
        <ToolRows isRail={isRail} />
        <NavRow to={CATALOGUE_PATH} icon="catalogue" label="Catalogue" isRail={isRail} />
      </nav>
      <nav className="nav-list" aria-label="Account">
        <NavRow to="/dashboard/check" icon="check" label="Check a picture" isRail={isRail} />
        <NavRow to="/dashboard/history" icon="clock" label="History" isRail={isRail} />
        <NavRow
          to="/dashboard/credits"
          icon="credits"
          label={`Credits: ${credits ?? '…'}`}
          isRail={isRail}
          shown={isRail ? <CreditNumber /> : <CreditBalance />}
        />
        <NavRow to="/dashboard/change-password" icon="key" label="Change Password" isRail={isRail} />
      </nav>
      <div className="signed-in-as spread ruled">
        <AccountButton isRail={isRail} />
        <MaybeTip label="Logout" isRail={isRail}>
          <Button look="borderless" square={isRail} aria-label="Logout" icon={<Icon name="leave" />} onClick={logout}>
            {isRail ? null : 'Logout'}
          </Button>
        </MaybeTip>
      </div>
    </header>
  );
}

/** In a low window the sidebar scrolls by itself: the entry of the screen stays in view, and the page where it is. */
function useCurrentInView(isRail: boolean) {
  const sidebar = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    const frame = sidebar.current?.getBoundingClientRect();
    const current = sidebar.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!sidebar.current || !frame || !current) return;
    sidebar.current.scrollTop += Math.min(0, current.top - frame.top) + Math.max(0, current.bottom - frame.bottom);
  }, [path, isRail]);
  return sidebar;
}
