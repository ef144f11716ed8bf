import { lazy, Suspense, useState } from 'react';
import { useUserName } from './logout.ts';
import { useWindowEvent } from '../platform/useWindowEvent.ts';
import { Icon } from '../ui/icons.tsx';

const importMenu = () => import('./AccountMenu.tsx');
const AccountMenu = lazy(async () => ({ default: (await importMenu()).AccountMenu }));

export function AccountButton({ isRail }: { isRail: boolean }) {
  const name = useUserName();
  // Null until it was wanted once.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  useWindowEvent('keydown', ({ key, target }) => {
    const isTyping = target instanceof Element && target.closest('input, textarea, [role="dialog"]') !== null;
    if (key === '?' && !isTyping) setIsOpen(true);
  });
  const button = (
    <button
      type="button"
      className={accountClass(isRail)}
      aria-label={`Account: ${name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void importMenu()}
      onFocus={() => void importMenu()}
      onClick={() => setIsOpen(true)}
    >
      <AccountLabel isRail={isRail} name={name} />
    </button>
  );
  return isOpen !== null ? (
    <Suspense fallback={button}>
      <AccountMenu isRail={isRail} isOpen={isOpen} onOpen={setIsOpen} />
    </Suspense>
  ) : (
    button
  );
}

export function accountClass(isRail: boolean): string {
  return isRail ? 'button borderless square' : 'person in-line';
}

export function AccountLabel({ isRail, name }: { isRail: boolean; name: string }) {
  if (isRail) return <Icon name="person" />;
  return (
    <>
      <b className="control-text cut-off">{name}</b>
      <Icon name="up" size={16} />
    </>
  );
}
