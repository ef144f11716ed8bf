import { useId, type ComponentProps, type ReactNode } from 'react';

type FieldProps = {
  label: string;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
};

export type InputProps = FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id'>;

export function InputField({ label, aside, hint, error, ...rest }: InputProps) {
  const id = useId();
  return (
    <Field id={id} label={label} aside={aside} hint={hint} error={error}>
      <input {...rest} id={id} className="input" {...described(id, hint, error, rest)} />
    </Field>
  );
}

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, 'className' | 'id' | 'onChange'> & {
    options: readonly { value: string; label: string }[];
    onChange: (value: string) => void;
  };

export function SelectField({ label, aside, hint, error, options, onChange, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Field id={id} label={label} aside={aside} hint={hint} error={error}>
      <select
        {...rest}
        id={id}
        className="input"
        {...described(id, hint, error, rest)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(({ value, label: name }) => (
          <option key={value} value={value}>
            {name}
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

/** ARIA attributes of a control: whether it is invalid, and the ids of its hint and its error. */
export function described(id: string, hint: ReactNode, error: string | undefined, rest: Described) {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`, rest['aria-describedby']];
  const text = ids.filter(Boolean).join(' ');
  return {
    'aria-invalid': error !== undefined || rest['aria-invalid'] === true ? true : undefined,
    'aria-describedby': text === '' ? undefined : text,
  };
}
