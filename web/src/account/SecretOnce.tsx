import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { useCopy } from '../ui/useCopy.ts';

type SecretOnceProps = {
  label: string;
  secret: string;
  children?: ReactNode;
  onSaved: () => void;
};

export function SecretOnce({ label, secret, children, onSaved }: SecretOnceProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { said, copy } = useCopy('Press Ctrl or Cmd and C to copy it.');
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const copyOrSelect = () => {
    input.current?.select();
    copy(secret);
  };
  return (
    <div className="secret-once stack any-break">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
      <input ref={input} id={id} className="input secret" readOnly value={secret} />
      <p className="small" role="status">
        {said || 'Save it now: it is not shown again.'}
      </p>
      <div className="cluster">
        <Button look="primary" onClick={copyOrSelect}>
          Copy
        </Button>
        <Button look="borderless" onClick={onSaved}>
          I have saved it
        </Button>
      </div>
    </div>
  );
}
