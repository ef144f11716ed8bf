import { lazy, Suspense, useState } from 'react';
import { useUserName } from './logout.ts';
import { Icon } from '../ui/icons.tsx';

const importMenu = () => import('./AccountMenu.tsx');
const AccountMenu = lazy(async () => ({ default: (await importMenu()).AccountMenu }));

/** The person at the foot of the sidebar. The menu behind it is loaded when somebody reaches for it. */
export function AccountButton({ isRail }: { isRail: boolean }) {
  const name = useUserName();
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <button
      type="button"
      className={accountClass(isRail)}
      aria-label={`Account: ${name}`}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void importMenu()}
      onFocus={() => void importMenu()}
      onClick={() => setIsWanted(true)}
    >
      <AccountLabel isRail={isRail} name={name} />
    </button>
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <AccountMenu isRail={isRail} />
    </Suspense>
  ) : (
    button
  );
}

export function accountClass(isRail: boolean): string {
  return isRail ? 'btn bare square' : 'person';
}

export function AccountLabel({ isRail, name }: { isRail: boolean; name: string }) {
  if (isRail) return <Icon name="person" />;
  return (
    <>
      <b>{name}</b>
      <Icon name="up" size={16} />
    </>
  );
}
