import { useEffect, useEffectEvent, useState } from 'react';
import { listDropped, type Found } from './collect-files.ts';

/** Files and folders dropped anywhere on the page. Returns whether something is being dragged over it. */
export function useFileDrop(onFound: (found: Found[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const take = useEffectEvent((transfer: DataTransfer) => void listDropped(transfer).then(onFound));

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
      take(event.dataTransfer);
    };
    window.addEventListener('dragover', handleOver);
    window.addEventListener('dragleave', handleLeave);
    window.addEventListener('drop', handleDrop);
    return () => {
      window.removeEventListener('dragover', handleOver);
      window.removeEventListener('dragleave', handleLeave);
      window.removeEventListener('drop', handleDrop);
    };
  }, []);

  return isDragging;
}
