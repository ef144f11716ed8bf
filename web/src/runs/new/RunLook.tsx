import { Dialog } from '@base-ui/react/dialog';
import { LookEditor } from '../../looks/LookEditor.tsx';
import { LookSelect } from '../../looks/LookSelect.tsx';
import { buttonClass } from '../../ui/button-class.ts';

type RunLookProps = {
  lookId: string | null;
  isLocked: boolean;
  onChange: (part: { lookId: string | null }) => void;
};

export function RunLook({ lookId, isLocked, onChange }: RunLookProps) {
  const choose = (chosen: string | null) => onChange({ lookId: chosen });
  return (
    <div className="stack">
      <LookSelect value={lookId} isLocked={isLocked} onChange={choose} />
      <Dialog.Root>
        <Dialog.Trigger className={`${buttonClass({ look: 'borderless' })} at-start`} disabled={isLocked}>
          Shadow, margins, canvas
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="scrim" />
          <Dialog.Popup className="dialog">
            <Dialog.Title className="title-small">Looks</Dialog.Title>
            <LookEditor lookId={lookId} mediaId={null} onChoose={choose} />
            <div className="dialog-acts">
              <Dialog.Close className={buttonClass({ look: 'primary' })}>Done</Dialog.Close>
            </div>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </div>
  );
}
