import type { ComponentProps } from 'react';

type FileInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  onFiles: (files: File[]) => void;
};

/** A file input that accepts the same file twice: browsers fire no change event for an unchanged selection. */
export function FileInput({ onFiles, ...rest }: FileInputProps) {
  return (
    <input
      {...rest}
      type="file"
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
