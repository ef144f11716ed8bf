import { useId } from 'react';
import { useLooks } from './useLooks.ts';
import './looks.css';

type LookSelectProps = {
  /** Null for the plain look that needs no saving. */
  value: string | null;
  isLocked?: boolean;
  onChange: (lookId: string | null) => void;
};

/** One of the saved looks, or none. A look that was deleted meanwhile counts as none. */
export function LookSelect({ value, isLocked = false, onChange }: LookSelectProps) {
  const id = useId();
  const looks = useLooks();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Look <span className="tag">Optional, free</span>
      </label>
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
    </div>
  );
}
