import type { ReactNode } from 'react';

export type SegmentedProps<Value extends string> = {
  label: string;
  names: Readonly<Record<Value, ReactNode>>;
  value: Value;
  isOff?: boolean;
  className?: string;
  onChange: (value: Value) => void;
};

export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, names, value, isOff = false, className = '', onChange } = props;
  return (
    <div className={`segmented ${className}`} role="group" aria-label={label}>
      {(Object.entries(names) as [Value, ReactNode][]).map(([one, name]) => (
        <button
          key={one}
          type="button"
          data-value={one}
          aria-pressed={one === value}
          disabled={isOff}
          onClick={() => onChange(one)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
