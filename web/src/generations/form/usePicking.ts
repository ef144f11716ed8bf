import { useEffect, useEffectEvent } from 'react';
import type { Tool } from '@plinth/contract/tool';
import { say } from '../../ui/toast.tsx';
import { usePageDrop } from '../../ui/wells/usePageDrop.ts';

type Picking = {
  tool: Tool;
  free: string[];
  isLocked: boolean;
  onFile: (fieldName: string, file: File) => void;
};

export function usePicking({ tool, free, isLocked, onFile }: Picking): boolean {
  const target = (place: Element | null): string | undefined => {
    const named = place?.closest<HTMLElement>('[data-image-field]')?.dataset.imageField;
    return named ?? free[0] ?? Object.keys(tool.fields).find((name) => tool.fields[name]?.kind === 'image');
  };
  const take = useEffectEvent((files: FileList, place: Element | null) => {
    const name = target(place);
    const [file] = files;
    if (isLocked || name === undefined || file === undefined) return;
    if (files.length > 1) say.note('One photo at a time. We took the first.', { id: 'one-photo' });
    onFile(name, file);
  });

  const isDragging = usePageDrop(({ files }, place) => take(files, place));
  useEffect(() => {
    const handlePaste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files;
      if (!files || files.length === 0) return;
      event.preventDefault();
      take(files, document.activeElement);
    };
    window.addEventListener('paste', handlePaste);
    return () => window.removeEventListener('paste', handlePaste);
  }, []);

  return isDragging && !isLocked;
}
