import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { buttonClass } from '../button-class.ts';
import { DialogFrame } from './DialogFrame.tsx';

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

export function CancelQuestion({ title, children, action, isOpen, onClose, onCancel, ...says }: CancelQuestionProps) {
  const { keep = 'Keep going', look = 'primary' } = says;
  return (
    <DialogFrame isQuestion title={title} isOpen={isOpen} onClose={onClose}>
      <Dialog.Description className="small">{children}</Dialog.Description>
      <div className="dialog-acts">
        <Dialog.Close className={buttonClass({ look: 'borderless' })}>{keep}</Dialog.Close>
        <Dialog.Close className={buttonClass({ look })} onClick={onCancel}>
          {action}
        </Dialog.Close>
      </div>
    </DialogFrame>
  );
}
