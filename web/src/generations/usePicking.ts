import { useEffect, useEffectEvent, useState } from 'react';
import type { Tool } from '@plinth/contract/tools';
import { say } from '../ui/toast.tsx';

type Picking = {
  tool: Tool;
  /** Image fields without a picture, in the tool's order. */
  free: string[];
  isLocked: boolean;
  onFile: (fieldName: string, file: File) => void;
};

/** Pictures dropped anywhere on the page or pasted into it. Returns whether something is being dragged over the page. */
export function usePicking({ tool, free, isLocked, onFile }: Picking): boolean {
  const [isDragging, setIsDragging] = useState(false);
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

  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const handleOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsDragging(true);
    };
    const handleLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDragging(false);
    };
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      setIsDragging(false);
      take(event.dataTransfer.files, event.target instanceof Element ? event.target : null);
    };
    const handlePaste = (event: ClipboardEvent) => {
      const files = event.clipboardData?.files;
      if (!files || files.length === 0) return;
      event.preventDefault();
      take(files, document.activeElement);
    };
    const handlers = { dragover: handleOver, dragleave: handleLeave, drop: handleDrop, paste: handlePaste };
    const entries = Object.entries(handlers) as [string, EventListener][];
    entries.forEach(([name, handler]) => window.addEventListener(name, handler));
    return () => entries.forEach(([name, handler]) => window.removeEventListener(name, handler));
  }, []);

  return isDragging && !isLocked;
}
