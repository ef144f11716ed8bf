import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { buttonClass } from './button-class.ts';
import { CloseRequest } from './CloseRequest.ts';

type CancelQuestionProps = {
  title: string;
  children: ReactNode;
  action: string;
  keep?: string;
  look?: 'primary' | 'danger';
  isOpen: boolean;
  onClose: () => void;
  onCancel: () => void;
};

export function CancelQuestion({
  title,
  children,
  action,
  keep = 'Keep going',
  look = 'primary',
  isOpen,
  onClose,
  onCancel,
}: CancelQuestionProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog">
          <CloseRequest onClose={onClose} />
          <AlertDialog.Title className="title-small">{title}</AlertDialog.Title>
          <AlertDialog.Description className="small">{children}</AlertDialog.Description>
          <div className="dialog-acts">
            <AlertDialog.Close className={buttonClass({ look: 'borderless' })}>{keep}</AlertDialog.Close>
            <AlertDialog.Close className={buttonClass({ look })} onClick={onCancel}>
              {action}
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
