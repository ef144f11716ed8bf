import type { Run } from '@plinth/contract/runs';
import { CancelQuestion } from '../../ui/CancelQuestion.tsx';

type CancelRunDialogProps = { run: Run; isOpen: boolean; onClose: () => void; onCancel: () => void };

/** Asked because it cannot be undone. */
export function CancelRunDialog({ run, ...rest }: CancelRunDialogProps) {
  return (
    <CancelQuestion title={`Cancel “${run.name}”?`} action="Cancel catalogue" {...rest}>
      What waits is not made, and its credits come back at once. What is ready stays, and the archive holds it.
    </CancelQuestion>
  );
}
