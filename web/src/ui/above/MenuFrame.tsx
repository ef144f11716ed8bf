import { Menu } from '@base-ui/react/menu';
import { useRef, useState, type ReactNode } from 'react';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';
import { Icon, type IconName } from '../icons.tsx';
import { CloseRequest } from './CloseRequest.ts';

/** What keys do, and the keys. */
export type Shortcuts = readonly (readonly [what: string, keys: string])[];

type MenuFrameProps = {
  trigger: ReactNode;
  className: string;
  label?: string;
  align?: 'start' | 'end';
  isOff?: boolean;
  /** Listed below the actions. `?` in the same dialog then opens the list alone: help is not beside what deletes. */
  shortcuts?: Shortcuts;
  children: ReactNode;
};

export function MenuFrame({ trigger, className, label, align = 'end', isOff, shortcuts, children }: MenuFrameProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isHelp, setIsHelp] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useWindowEvent('keydown', ({ key, target }) => {
    if (shortcuts === undefined || key !== '?' || !(target instanceof Element) || target.matches('input')) return;
    if (target.closest(DIALOG) !== (button.current?.closest(DIALOG) ?? null)) return;
    setIsHelp(true);
    setIsOpen(true);
  });
  const handleOpen = (open: boolean) => {
    if (open) setIsHelp(false);
    setIsOpen(open);
  };
  return (
    <Menu.Root open={isOpen} onOpenChange={handleOpen}>
      <Menu.Trigger ref={button} className={className} aria-label={label} disabled={isOff}>
        {trigger}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align={align}>
          <Menu.Popup className="popup">
            <CloseRequest onClose={() => setIsOpen(false)} />
            {!isHelp && children}
            {shortcuts && <KeyList shortcuts={shortcuts} />}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const DIALOG = '[role="dialog"]';

/** The end of a menu, where there are keys. */
export function KeyList({ shortcuts }: { shortcuts: Shortcuts }) {
  return (
    <div className="popup-keys">
      <div className="popup-line" />
      <Menu.Group>
        <Menu.GroupLabel className="popup-label caption">Keyboard</Menu.GroupLabel>
        {shortcuts.map(([what, keys]) => (
          <div key={what} className="popup-key spread">
            <span className="small">{what}</span>
            <span className="caption">{keys}</span>
          </div>
        ))}
      </Menu.Group>
    </div>
  );
}

type MenuActionProps = { icon: IconName; name: string; isDanger?: boolean; onPick: () => void };

export function MenuAction({ icon, name, isDanger = false, onPick }: MenuActionProps) {
  return (
    <Menu.Item className={isDanger ? 'popup-item is-wrong' : 'popup-item'} onClick={onPick}>
      <Icon name={icon} />
      <span className="grows">{name}</span>
    </Menu.Item>
  );
}
