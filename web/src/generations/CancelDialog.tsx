import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { Tool } from '@plinth/contract/tools';
import { buttonClass } from '../ui/button-class.ts';
import { plural } from '../ui/format.ts';

type CancelDialogProps = { tool: Tool; isOpen: boolean; onClose: () => void; onCancel: () => void };

/** Asked only about what already runs: it may be done before it hears. */
export function CancelDialog({ tool, isOpen, onClose, onCancel }: CancelDialogProps) {
  const thing = tool.mediaType === 'product_image' ? 'picture' : 'video';
  const isOne = tool.cost === 1;
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="t2">Cancel this generation?</AlertDialog.Title>
          <AlertDialog.Description className="small">
            It stops and its {plural(tool.cost, 'credit')} {isOne ? 'comes' : 'come'} back. If it finishes first, you
            keep the {thing} and the {isOne ? 'credit stays' : 'credits stay'} spent.
          </AlertDialog.Description>
          <div className="dialog-acts">
            <AlertDialog.Close className={buttonClass({ look: 'bare' })}>Keep going</AlertDialog.Close>
            <AlertDialog.Close className={buttonClass({ look: 'primary' })} onClick={onCancel}>
              Cancel generation
            </AlertDialog.Close>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
