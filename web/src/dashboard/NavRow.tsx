import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { menuTools } from './navigation.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';

const RailTip = lazyPart(
  async () => (await import('./RailTip.tsx')).RailTip,
  ({ children }) => children,
  'spare',
);

export function ToolRows({ isRail = false }) {
  return menuTools.map(({ id, to, menu, icon, isBeside }) => (
    <NavRow key={id} to={to} icon={icon} label={menu} isRail={isRail} isBeside={isBeside} />
  ));
}

type NavRowProps = {
  to: string;
  icon: IconName;
  label: string;
  isRail?: boolean;
  isBeside?: boolean;
  shown?: ReactNode;
};

export function NavRow({ to, icon, label, isRail = false, isBeside = false, shown }: NavRowProps) {
  return (
    <MaybeTip label={label} isRail={isRail}>
      <Link to={to} aria-label={isRail ? label : undefined} className={isBeside ? 'beside' : undefined}>
        <Icon name={icon} />
        {(!isRail || shown !== undefined) && <span>{shown ?? label}</span>}
      </Link>
    </MaybeTip>
  );
}

/** Only the icon-only sidebar needs tooltips; the wide one does not load them. */
export function MaybeTip({ label, isRail, children }: { label: string; isRail: boolean; children: ReactElement }) {
  return isRail ? <RailTip label={label}>{children}</RailTip> : children;
}
