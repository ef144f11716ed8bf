import { useState } from 'react';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';

/** Takes files that are dropped or pasted anywhere on the page. @returns whether some are dragged over it */
export function usePageFiles(onFiles: (given: DataTransfer, place: Element | null) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setIsDragging(true);
  });
  useWindowEvent('dragleave', (event) => {
    if (event.relatedTarget === null) setIsDragging(false);
  });
  useWindowEvent('drop', (event) => {
    if (!hasFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    setIsDragging(false);
    onFiles(event.dataTransfer, event.target instanceof Element ? event.target : null);
  });
  useWindowEvent('paste', (event) => {
    const pasted = event.clipboardData;
    if (pasted === null || pasted.files.length === 0) return;
    event.preventDefault();
    onFiles(pasted, document.activeElement);
  });
  return isDragging;
}
