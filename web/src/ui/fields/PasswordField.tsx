import { Eye, EyeOff } from 'lucide';
import { useState } from 'react';
import { Button } from '../Button.tsx';
import { Drawing } from '../Drawing.tsx';
import { Field, useControl, type InputProps } from './Field.tsx';

export function PasswordField(props: InputProps) {
  const { field, control } = useControl(props);
  const [isShown, setIsShown] = useState(false);
  return (
    <Field {...field}>
      <div className="peek-field holder">
        <input {...control} type={isShown ? 'text' : 'password'} />
        <div className="peek-act">
          <Button
            look="borderless"
            square
            aria-label={isShown ? 'Hide password' : 'Show password'}
            aria-pressed={isShown}
            disabled={props.disabled}
            onClick={() => setIsShown(!isShown)}
          >
            <Drawing of={isShown ? EyeOff : Eye} />
          </Button>
        </div>
      </div>
    </Field>
  );
}
