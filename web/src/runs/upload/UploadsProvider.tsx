import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { errors } from '@plinth/contract/errors';
import { useApi } from '../../platform/useApi.ts';
import { useUser } from '../../platform/useUser.ts';
import { plural } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';
import { openPhotoStore, type PhotoStore } from '../photos.ts';
import { Uploads, type UploadState } from './uploads.ts';
import { RUNS_KEY } from '../useRuns.ts';

type Uploading = { uploads: Uploads; state: UploadState; store: PhotoStore };

const UploadsContext = createContext<Uploading | null>(null);
const NOTHING: UploadState = { runs: new Map(), hindrance: null, bytesPerSecond: null };

/** Photos are sent for as long as one of the screens behind the sign-in is open, whichever it is. */
export function UploadsProvider({ children }: { children: ReactNode }) {
  const { id: userId } = useUser();
  const api = useApi();
  const queryClient = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const { uploads, store } = useMemo(() => {
    const kept = openPhotoStore(userId);
    const onClosed = (runId: string, leftCount: number) => {
      say.wrong(`${errors.run_closed.detail} ${plural(leftCount, 'photo')} not uploaded.`, { id: `closed-${runId}` });
      void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
    };
    return { store: kept, uploads: new Uploads({ api, store: kept, onChange: setState, onClosed }) };
  }, [api, queryClient, userId]);
  useEffect(() => {
    const handleOnline = () => uploads.wake();
    void uploads.start();
    window.addEventListener('online', handleOnline);
    return () => {
      window.removeEventListener('online', handleOnline);
      uploads.stop();
    };
  }, [uploads]);
  const value = useMemo(() => ({ uploads, state, store }), [uploads, state, store]);
  return <UploadsContext value={value}>{children}</UploadsContext>;
}

export function useUploads(): Uploading {
  const uploading = useContext(UploadsContext);
  if (uploading === null) throw new Error('UploadsProvider is missing');
  return uploading;
}
