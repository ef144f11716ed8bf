import { useId } from 'react';
import { Field } from '../ui/Field.tsx';
import { useLooks } from './useLooks.ts';

type LookSelectProps = {
  /** Null for the plain look that needs no saving. */
  value: string | null;
  isLocked?: boolean;
  onChange: (lookId: string | null) => void;
};

export function LookSelect({ value, isLocked = false, onChange }: LookSelectProps) {
  const id = useId();
  const looks = useLooks();
  return (
    <Field id={id} label="Look" aside="Optional, free">
      <select
        id={id}
        className="input"
        value={looks?.some((look) => look.id === value) ? (value ?? '') : ''}
        disabled={isLocked || looks === undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      >
        <option value="">Plain: no shadow, 5 % margin, white</option>
        {looks?.map((look) => (
          <option key={look.id} value={look.id}>
            {look.name}
          </option>
        ))}
      </select>
    </Field>
  );
}
