import { useState } from 'react';
import { LookEditor } from '../../looks/LookEditor.tsx';
import { LookSelect } from '../../looks/LookSelect.tsx';
import { useLooks } from '../../looks/useLooks.ts';
import { Button } from '../../ui/Button.tsx';
import { DialogFrame } from '../../ui/DialogFrame.tsx';
import { InputField } from '../../ui/Field.tsx';
import type { RunForm } from '../run-form.ts';

type RunLookProps = {
  form: Pick<RunForm, 'lookId' | 'heightCm'>;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (part: Partial<RunForm>) => void;
};

export function RunLook({ form: { lookId, heightCm }, isLocked, errorId, onChange }: RunLookProps) {
  const looks = useLooks();
  const [isOpen, setIsOpen] = useState(false);
  const choose = (chosen: string | null) => onChange({ lookId: chosen, heightCm: '' });
  const hasScale = looks?.find(({ id }) => id === lookId)?.scale === 'height';
  return (
    <div className="stack">
      <LookSelect value={lookId} isLocked={isLocked} onChange={choose} />
      {(hasScale || heightCm !== '') && (
        <InputField
          label="Height of each product, cm"
          name="heightCm"
          aside="Optional"
          hint="For photos whose list names none: all mugs of 9.5 cm stand as high, on one line."
          inputMode="decimal"
          value={heightCm}
          readOnly={isLocked}
          aria-invalid={errorId !== undefined}
          aria-describedby={errorId}
          onChange={({ currentTarget }) => onChange({ heightCm: currentTarget.value.trim() })}
        />
      )}
      <div className="at-start">
        <Button look="borderless" disabled={isLocked} onClick={() => setIsOpen(true)}>
          Shadow, margins, canvas
        </Button>
      </div>
      {isOpen && (
        <DialogFrame title="Looks" onClose={() => setIsOpen(false)}>
          <LookEditor lookId={lookId} mediaId={null} onChoose={choose} />
        </DialogFrame>
      )}
    </div>
  );
}
