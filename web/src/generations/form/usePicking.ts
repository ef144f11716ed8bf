import type { Tool } from '@plinth/contract/tool';
import { say } from '../../ui/toast.tsx';
import { usePageFiles } from '../../ui/wells/usePageFiles.ts';

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
  const isDragging = usePageFiles(({ files }, place) => {
    const name = target(place);
    const [file] = files;
    if (isLocked || name === undefined || file === undefined) return;
    if (files.length > 1) say.note('One photo at a time. We took the first.', { id: 'one-photo' });
    onFile(name, file);
  });
  return isDragging && !isLocked;
}
