import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { useRef, type ReactNode } from 'react';
import { buttonClass } from '../button-class.ts';
import { Icon } from '../icons.tsx';
import { CloseRequest } from './CloseRequest.ts';

type DialogFrameProps = {
  title: string;
  line?: ReactNode;
  className?: string;
  head?: ReactNode;
  isOpen?: boolean;
  /** Needs an answer: a press outside does not close it, and it has no cross. */
  isQuestion?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/** The element focused first: never the cross, nor what does nothing yet. Without one it is the dialog itself. */
const FIRST =
  ':is(header input, header ~ * :is(input, select, button, a)):not(:disabled, [aria-disabled=true], [readonly])';

/** A dialog with a title, a cross and its content. */
export function DialogFrame({ title, line, className = '', head, isOpen = true, ...props }: DialogFrameProps) {
  const { isQuestion = false, onClose, children } = props;
  const Root = isQuestion ? AlertDialog.Root : Dialog.Root;
  const popup = useRef<HTMLDivElement>(null);
  const findFirst = () => popup.current?.querySelector<HTMLElement>(FIRST) ?? popup.current;
  return (
    <Root open={isOpen} onOpenChange={(isWanted) => !isWanted && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" forceRender />
        <Dialog.Popup ref={popup} className={`dialog ${className}`} initialFocus={findFirst}>
          <CloseRequest onClose={onClose} />
          <header className="spread">
            <div>
              <Dialog.Title className="title-small">{title}</Dialog.Title>
              {line !== undefined && <Dialog.Description className="small">{line}</Dialog.Description>}
            </div>
            {head}
            {!isQuestion && (
              <Dialog.Close className={buttonClass({ look: 'borderless', square: true })} aria-label="Close">
                <Icon name="close" />
              </Dialog.Close>
            )}
          </header>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Root>
  );
}
