import { useId, type ComponentProps, type ReactNode } from 'react';

type FieldProps = {
  label: string;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
};

export type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id'>;

export function InputField(props: InputProps) {
  const { field, control } = useControl(props);
  return (
    <Field {...field}>
      <input {...control} />
    </Field>
  );
}

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, 'className' | 'id' | 'onChange'> & {
    options: readonly { value: string; label: string }[];
    onChange: (value: string) => void;
  };

export function SelectField({ options, onChange, ...rest }: SelectProps) {
  const { field, control } = useControl(rest);
  return (
    <Field {...field}>
      <select {...control} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function Field({ id, label, aside, hint, error, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label} {aside !== undefined && <span className="caption figures">{aside}</span>}
      </label>
      {children}
      {error !== undefined && (
        <span className="field-hint is-wrong" id={`${id}-error`}>
          {error}
        </span>
      )}
      {hint !== undefined && (
        <span className="field-hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

type Described = Pick<ComponentProps<'input'>, 'aria-invalid' | 'aria-describedby'>;

/** Properties of a field and of its control, which names the field's hint and error. */
export function useControl<Own>({ label, aside, hint, error, ...given }: FieldProps & Described & Own) {
  const { 'aria-invalid': isInvalid, 'aria-describedby': describedBy, ...own } = given;
  const id = useId();
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`, describedBy];
  const control = {
    ...own,
    id,
    className: 'input',
    'aria-invalid': error !== undefined || isInvalid === true ? true : undefined,
    'aria-describedby': ids.filter(Boolean).join(' ') || undefined,
  };
  return { field: { id, label, aside, hint, error }, control };
}
