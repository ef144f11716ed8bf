import { useEffect, useEffectEvent, useState } from 'react';

/** Takes files that are dropped or pasted anywhere on the page. @returns whether some are dragged over it */
export function usePageFiles(onFiles: (given: DataTransfer, place: Element | null) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const take = useEffectEvent(onFiles);

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
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      setIsDragging(false);
      take(event.dataTransfer, event.target instanceof Element ? event.target : null);
    };
    const handlePaste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData;
      if (pasted === null || pasted.files.length === 0) return;
      event.preventDefault();
      take(pasted, document.activeElement);
    };
    const ending = new AbortController();
    window.addEventListener('dragover', handleOver, ending);
    window.addEventListener('dragleave', handleLeave, ending);
    window.addEventListener('drop', handleDrop, ending);
    window.addEventListener('paste', handlePaste, ending);
    return () => ending.abort();
  }, []);

  return isDragging;
}
