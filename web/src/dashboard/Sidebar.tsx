import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { useLogout } from './logout.ts';
import { AccountButton } from './AccountButton.tsx';
import { CreditBalance, CreditNumber } from '../credits/CreditBalance.tsx';
import { useCredits } from '../credits/useCredits.ts';
import '../credits/credits.css';
import { CATALOGUE_PATH, menuTools } from './navigation.ts';
import { COMPACT, PHONE, useMediaQuery } from '../platform/media-query.ts';
import { Button } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { Logo } from '../ui/pages/Logo.tsx';

const RailTip = lazyPart(
  async () => (await import('./RailTip.tsx')).RailTip,
  ({ children }) => children,
  'spare',
);

export function Sidebar() {
  const isCompact = useMediaQuery(COMPACT);
  // Resized to a phone's width it is drawn once more before the bars take its place.
  const isRail = !useMediaQuery(PHONE) && isCompact;
  const credits = useCredits();
  const logout = useLogout();
  return (
    <header className="sidebar">
      <Logo />
      <nav className="nav-list" aria-label="Tools">
        {menuTools.map(({ id, to, menu, icon, isBeside }) => (
          <NavRow key={id} to={to} icon={icon} label={menu} isRail={isRail} isBeside={isBeside} />
        ))}
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
      <div className="signed-in-as spread">
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

type NavRowProps = {
  to: string;
  icon: IconName;
  label: string;
  isRail: boolean;
  isBeside?: boolean;
  shown?: ReactNode;
};

function NavRow({ to, icon, label, isRail, isBeside = false, shown }: NavRowProps) {
  return (
    <MaybeTip label={label} isRail={isRail}>
      <Link to={to} aria-label={isRail ? label : undefined} className={isBeside ? 'beside' : undefined}>
        <Icon name={icon} />
        {(!isRail || shown !== undefined) && <span>{shown ?? label}</span>}
      </Link>
    </MaybeTip>
  );
}

/** The rail alone needs tooltips; the wide sidebar does not load them. */
function MaybeTip({ label, isRail, children }: { label: string; isRail: boolean; children: ReactElement }) {
  return isRail ? <RailTip label={label}>{children}</RailTip> : children;
}
