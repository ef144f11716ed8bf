import { useState } from 'react';
import { useUserName } from './logout.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';

export type AccountMenuProps = { isRail: boolean; isOpen: boolean; onOpen: (isOpen: boolean) => void };

const AccountMenu = lazyPart(async () => (await import('./AccountMenu.tsx')).AccountMenu, Closed);

export function AccountButton({ isRail }: { isRail: boolean }) {
  // Null until it is first needed.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  useWindowEvent('keydown', ({ key, target }) => {
    const isTyping = target instanceof Element && target.closest('input, textarea, [role="dialog"]') !== null;
    if (key === '?' && !isTyping) setIsOpen(true);
  });
  const Shown = isOpen === null ? Closed : AccountMenu;
  return <Shown isRail={isRail} isOpen={isOpen === true} onOpen={setIsOpen} />;
}

function Closed({ isRail, onOpen }: AccountMenuProps) {
  return (
    <button
      type="button"
      className={accountClass(isRail)}
      aria-label={`Account: ${useUserName()}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={AccountMenu.prepare}
      onFocus={AccountMenu.prepare}
      onClick={() => onOpen(true)}
    >
      <AccountLabel isRail={isRail} />
    </button>
  );
}

export function accountClass(isRail: boolean): string {
  return `${buttonClass({ look: 'borderless', square: isRail })} person`;
}

export function AccountLabel({ isRail }: { isRail: boolean }) {
  const name = useUserName();
  if (isRail) return <Icon name="person" />;
  return (
    <>
      <span className="cut-off">{name}</span>
      <Icon name="up" size={16} />
    </>
  );
}
