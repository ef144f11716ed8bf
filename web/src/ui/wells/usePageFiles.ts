import { useRef, useState } from 'react';
import { useWindowEvent } from '../../platform/useWindowEvent.ts';
import { say } from '../above/toast.tsx';

/**
 * Accepts files dropped or pasted anywhere on the page. A picture dragged from another page brings only an address,
 * which is not fetched; then a hint is shown. @returns true while files are dragged over the page
 */
export function usePageFiles(onFiles: (given: DataTransfer, place: Element | null) => void): boolean {
  const [isDragging, setIsDragging] = useState(false);
  const isOfThisPage = useRef(false);
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  const isFromElsewhere = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes('text/uri-list') === true && !isOfThisPage.current && !isForWords(target);
  useWindowEvent('dragstart', () => void (isOfThisPage.current = true));
  useWindowEvent('dragend', () => void (isOfThisPage.current = false));
  useWindowEvent('dragover', (event) => {
    if (!hasFiles(event) && !isFromElsewhere(event)) return;
    event.preventDefault();
    setIsDragging(true);
  });
  useWindowEvent('dragleave', (event) => {
    if (event.relatedTarget === null) setIsDragging(false);
  });
  useWindowEvent('drop', (event) => {
    if (event.dataTransfer === null || (!hasFiles(event) && !isFromElsewhere(event))) return;
    event.preventDefault();
    setIsDragging(false);
    if (hasFiles(event)) onFiles(event.dataTransfer, event.target instanceof Element ? event.target : null);
    else say.wrong('Save the picture first, then drop its file here.', { id: 'dragged-address' });
  });
  useWindowEvent('paste', (event) => {
    const pasted = event.clipboardData;
    if (pasted === null || pasted.files.length === 0) return;
    // Spreadsheets and word processors copy text together with a picture of it.
    const isWords = pasted.types.includes('text/plain') && pasted.types.includes('text/html');
    if (isWords && isForWords(event.target)) return;
    event.preventDefault();
    onFiles(pasted, document.activeElement);
  });
  return isDragging;
}

const isForWords = (target: EventTarget | null) =>
  target instanceof Element && target.matches('input:not([type=file]), textarea');
