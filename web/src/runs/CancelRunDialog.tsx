import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { Run } from '@plinth/contract/runs';
import { buttonClass } from '../ui/button-class.ts';

type CancelRunDialogProps = { run: Run; isOpen: boolean; onClose: () => void; onCancel: () => void };

/** Asked because it cannot be undone. */
export function CancelRunDialog({ run, isOpen, onClose, onCancel }: CancelRunDialogProps) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="t2">Cancel “{run.name}”?</AlertDialog.Title>
          <AlertDialog.Description className="small">
            What waits is not made, and its credits come back at once. What is ready stays, and the archive holds it.
          </AlertDialog.Description>
          <div className="dialog-acts">
            <AlertDialog.Close className={buttonClass({ look: 'bare' })}>Keep going</AlertDialog.Close>
            <AlertDialog.Close className={buttonClass({ look: 'primary' })} onClick={onCancel}>
              Cancel catalogue
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
