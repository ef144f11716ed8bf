import type { ChoiceField as ChoiceFieldEntry } from '@plinth/contract/tool';

type ChoiceFieldProps = {
  name: string;
  field: ChoiceFieldEntry;
  value: string;
  isLocked: boolean;
  errorId: string | undefined;
  onChange: (value: string) => void;
};

export function ChoiceField({ name, field, value, isLocked, errorId, onChange }: ChoiceFieldProps) {
  const id = `field-${name}`;
  const instead = field.instead?.[value];
  return (
    <div className="field" data-field={name}>
      <label className="label" htmlFor={id}>
        {field.label}
      </label>
      <select
        id={id}
        className="input"
        value={value}
        disabled={isLocked}
        aria-invalid={errorId !== undefined ? true : undefined}
        aria-describedby={errorId ?? (instead && `${id}-instead`)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {instead && (
        <span className="field-hint" id={`${id}-instead`} role="status">
          {instead}
        </span>
      )}
    </div>
  );
}
