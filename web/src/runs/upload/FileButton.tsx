import { useRef } from 'react';
import { acceptPhotos, readPictureFile } from '../../platform/picture-file.ts';
import { Button, type ButtonProps } from '../../ui/Button.tsx';
import { FileInput } from '../../ui/wells/FileInput.tsx';

type FileButtonProps = Pick<ButtonProps, 'icon' | 'busy' | 'asksServer' | 'disabled' | 'cost'> & {
  label: string;
  name: string;
  onFile: (file: File) => void;
};

export function FileButton({ label, name, onFile, ...rest }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const chosen = useRef<File>(null);
  const read = async (file: File) => {
    chosen.current = file;
    const readable = await readPictureFile(file);
    if (chosen.current === file) onFile(readable);
  };
  return (
    <>
      <Button {...rest} aria-label={name} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <FileInput
        ref={input}
        hidden
        accept={acceptPhotos()}
        aria-label={name}
        onFiles={([file]) => file && void read(file)}
      />
    </>
  );
}
