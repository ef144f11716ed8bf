import { Eye, EyeOff } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../Button.tsx';
import { Drawing } from '../Drawing.tsx';
import { described, Field, type InputProps } from './Field.tsx';

export function PasswordField({ label, aside, hint, error, ...rest }: InputProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    <Field id={id} label={label} aside={aside} hint={hint} error={error}>
      <div className="peek-field holder">
        <input
          {...rest}
          id={id}
          type={isShown ? 'text' : 'password'}
          className="input"
          {...described(id, hint, error, rest)}
        />
        <div className="peek-act">
          <Button
            look="borderless"
            square
            aria-label={isShown ? 'Hide password' : 'Show password'}
            aria-pressed={isShown}
            disabled={rest.disabled}
            onClick={() => setIsShown(!isShown)}
          >
            <Drawing of={isShown ? EyeOff : Eye} />
          </Button>
        </div>
      </div>
    </Field>
  );
}
