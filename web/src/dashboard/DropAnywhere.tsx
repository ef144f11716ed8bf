import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { isToolId } from '@plinth/contract/tools';
import { usePageFiles } from '../ui/wells/usePageFiles.ts';
import { CATALOGUE_PATH } from './navigation.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const UseDropped = lazyPart(async () => (await import('./UseDropped.tsx')).UseDropped);

/** Screens that take photos themselves. */
const TAKERS = ['/dashboard/check', `${CATALOGUE_PATH}/new`];

/** Photos that are dropped or pasted where no screen takes them: the browser would leave the app for them. */
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
