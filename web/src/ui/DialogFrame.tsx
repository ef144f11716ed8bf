import { Dialog } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import { buttonClass } from './button-class.ts';
import { Icon } from './icons.tsx';
import { CloseRequest } from './CloseRequest.ts';

type DialogFrameProps = {
  title: string;
  line?: ReactNode;
  className?: string;
  head?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** What is worked with first: never the cross. */
const FIRST = ':is(header input, header ~ * :is(input, select, button, a)):not(:disabled)';

/** A dialog that is there as long as it is drawn: its title, a cross, and what it is about. */
export function DialogFrame({ title, line, className = '', head, onClose, children }: DialogFrameProps) {
  const popup = useRef<HTMLDivElement>(null);
  const findFirst = () => popup.current?.querySelector<HTMLElement>(FIRST) ?? true;
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <CloseRequest onClose={onClose} />
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" forceRender />
        <Dialog.Popup ref={popup} className={`dialog ${className}`} initialFocus={findFirst}>
          <header className="spread">
            <div>
              <Dialog.Title className="title-small">{title}</Dialog.Title>
              {line !== undefined && <Dialog.Description className="small">{line}</Dialog.Description>}
            </div>
            {head}
            <Dialog.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          </header>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
