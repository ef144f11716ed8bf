import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isToolId } from '@plinth/contract/tools';
import { CreditBalance } from '../credits/CreditBalance.tsx';
import '../credits/credits.css';
import type { useTray } from '../generations/tray/useTray.ts';
import { linkToHistory } from '../media/viewer-path.ts';
import { CATALOGUE_PATH } from './navigation.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Icon } from '../ui/icons.tsx';
import { Logo } from '../ui/pages/Logo.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';

// Loaded when the user reaches for one: drawers are 30 KB compressed.
const importDrawers = () => import('./PhoneDrawers.tsx');
const MakeSheet = lazyPart(async () => (await importDrawers()).MakeSheet);
const MenuDrawer = lazyPart(async () => (await importDrawers()).MenuDrawer);
const RunningSheet = lazyPart(async () => (await importDrawers()).RunningSheet);

/** Screens in the menu of the last tab. */
const IN_MORE = ['check', 'account', 'change-password'];

export function PhoneTop({ tray }: { tray: ReturnType<typeof useTray> }) {
  return (
    <header className="phone-top in-line sticks">
      <Logo />
      <span className="grows" />
      {tray.isVisible && <RunningButton tray={tray} />}
      <Link className={`${buttonClass({ look: 'borderless' })} credit figures`} to="/dashboard/credits">
        <Icon name="credits" />
        <CreditBalance />
      </Link>
    </header>
  );
}

/** `screen`: the part of the address that names it. */
export function PhoneTabs({ screen }: { screen: string }) {
  const make = useDrawer();
  const more = useDrawer();
  return (
    <nav className="tab-bar" aria-label="Main">
      <button {...make.button} aria-current={isToolId(screen) ? 'true' : undefined}>
        <Icon name="picture" />
        Make
      </button>
      <Link to={CATALOGUE_PATH}>
        <Icon name="catalogue" />
        Catalogue
      </Link>
      <Link {...linkToHistory()}>
        <Icon name="clock" />
        History
      </Link>
      <Link to="/dashboard/credits">
        <Icon name="credits" />
        Credits
      </Link>
      <button {...more.button} aria-current={IN_MORE.includes(screen) ? 'true' : undefined}>
        <Icon name="menu" />
        More
      </button>
      {make.drawer && <MakeSheet {...make.drawer} />}
      {more.drawer && <MenuDrawer {...more.drawer} />}
    </nav>
  );
}

function RunningButton({ tray }: { tray: ReturnType<typeof useTray> }) {
  const { button, drawer } = useDrawer();
  const count = tray.runningCount;
  return (
    <>
      <button
        {...button}
        className="badge running-badge figures"
        aria-label={nameChip(tray.sending.length + tray.rows.length, count)}
      >
        {count > 0 ? <span className="spinner" aria-hidden="true" /> : <Icon name="check" size={16} />}
        {tray.sending.length + tray.rows.length}
      </button>
      {drawer && <RunningSheet {...drawer} tray={tray} />}
    </>
  );
}

function nameChip(all: number, running: number): string {
  if (running === 0) return `${all} finished`;
  return running === all ? `${all} running` : `${all} to look at, ${running} running`;
}

/** A drawer and the button that opens it; the drawer is null until first needed. */
function useDrawer() {
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const button = {
    type: 'button',
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen === true,
    onPointerEnter: () => void importDrawers(),
    onFocus: () => void importDrawers(),
    onClick: () => setIsOpen(true),
  } as const;
  return { button, drawer: isOpen === null ? null : { isOpen, onOpen: setIsOpen } };
}
