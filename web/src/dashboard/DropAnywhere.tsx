import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { isToolId } from '@plinth/contract/tools';
import { usePageFiles } from '../ui/wells/usePageFiles.ts';
import { CATALOGUE_PATH } from './navigation.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const UseDropped = lazyPart(async () => (await import('./UseDropped.tsx')).UseDropped);

/** Screens that handle photos themselves. */
const TAKERS = ['/dashboard/check', `${CATALOGUE_PATH}/new`];

/** Handles photos dropped or pasted on other screens, where the browser would leave the app to open them. */
export function DropAnywhere() {
  const { pathname } = useLocation();
  const isTaken = TAKERS.includes(pathname) || isToolId(pathname.split('/')[2] ?? '');
  return isTaken ? null : <Catcher key={pathname} />;
}

function Catcher() {
  const [files, setFiles] = useState<readonly File[]>([]);
  usePageFiles((given) => setFiles([...given.files]));
  if (files.length === 0) return null;
  return <UseDropped files={files} onClose={() => setFiles([])} />;
}
