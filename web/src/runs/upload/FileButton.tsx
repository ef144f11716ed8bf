import { useRef } from 'react';
import { IMAGE_TYPES } from '@plinth/contract/tool';
import { Button, type ButtonProps } from '../../ui/Button.tsx';

type FileButtonProps = Pick<ButtonProps, 'icon' | 'busy' | 'asksServer' | 'disabled' | 'cost'> & {
  label: string;
  name: string;
  onFile: (file: File) => void;
};

export function FileButton({ label, name, onFile, ...rest }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...rest} aria-label={name} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={IMAGE_TYPES.join(',')}
        aria-label={name}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
