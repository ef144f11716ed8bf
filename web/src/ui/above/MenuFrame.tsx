import { Menu } from '@base-ui/react/menu';
import { useState, type ReactNode } from 'react';
import { Icon, type IconName } from '../icons.tsx';
import { CloseRequest } from './CloseRequest.ts';

type MenuFrameProps = {
  trigger: ReactNode;
  className: string;
  label?: string;
  align?: 'start' | 'end';
  isOff?: boolean;
  children: ReactNode;
};

export function MenuFrame({ trigger, className, label, align = 'end', isOff, children }: MenuFrameProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Menu.Root open={isOpen} onOpenChange={setIsOpen}>
      <Menu.Trigger className={className} aria-label={label} disabled={isOff}>
        {trigger}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="positioner" sideOffset={6} align={align}>
          <Menu.Popup className="popup">
            <CloseRequest onClose={() => setIsOpen(false)} />
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
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
