import { useEffect, useEffectEvent, useState } from 'react';

export function usePageDrop(onDrop: (dropped: DataTransfer, place: Element | null) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const take = useEffectEvent(onDrop);

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
