import { useEffect, useEffectEvent } from 'react';
import { SelectField } from '../ui/fields/Field.tsx';
import { useLooks } from './useLooks.ts';

const PLAIN = { value: '', label: 'Plain: no shadow, 5 % margin, white' };

type LookSelectProps = {
  /** Null for the plain look, which needs no saving. */
  value: string | null;
  isLocked?: boolean;
  onChange: (lookId: string | null) => void;
};

export function LookSelect({ value, isLocked = false, onChange }: LookSelectProps) {
  const looks = useLooks();
  // It was deleted, perhaps elsewhere: the server would refuse it.
  const isGone = value !== null && looks?.some(({ id }) => id === value) === false;
  const forget = useEffectEvent(() => onChange(null));
  useEffect(() => {
    if (isGone) forget();
  }, [isGone]);
  return (
    <SelectField
      label="Look"
      aside="Optional, free"
      options={[PLAIN, ...(looks ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
      value={value ?? ''}
      disabled={isLocked || looks === undefined}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
    />
  );
}
