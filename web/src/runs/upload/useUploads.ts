import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { errors } from '@plinth/contract/errors';
import type { Api } from '../../platform/api.ts';
import { createClientStore, whenEnded } from '../../platform/client-store.ts';
import { useApi } from '../../platform/useApi.ts';
import { useUser } from '../../platform/useUser.ts';
import { plural } from '../../ui/format.ts';
import { say } from '../../ui/toast.tsx';
import { openPhotoStore, type PhotoStore } from '../photos.ts';
import { RUNS_KEY } from '../keys.ts';
import { Uploads, type UploadState } from './uploads.ts';

type Opened = { userId: string; uploads: Uploads; store: PhotoStore };

const NOTHING: UploadState = { runs: new Map(), hindrance: null, bytesPerSecond: null };
const useUploadState = createClientStore('session', NOTHING);

let opened: Opened | null = null;
whenEnded('session', () => {
  opened?.uploads.stop();
  opened = null;
});
if (typeof window === 'object') window.addEventListener('online', () => opened?.uploads.wake());

/** The uploads of this person, which go on whatever screen is open; the first who asks begins with what is left. */
export function openUploads(api: Api, queryClient: QueryClient, userId: string): Opened {
  if (opened?.userId === userId) return opened;
  opened?.uploads.stop();
  const store = openPhotoStore(userId);
  const onClosed = (runId: string, leftCount: number) => {
    say.wrong(`${errors.run_closed.detail} ${plural(leftCount, 'photo')} not uploaded.`, { id: `closed-${runId}` });
    void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
  };
  const onChange = (state: UploadState) => useUploadState.setState(state);
  opened = { userId, store, uploads: new Uploads({ api, store, onChange, onClosed }) };
  void opened.uploads.start();
  return opened;
}

export function useUploads(): Omit<Opened, 'userId'> & { state: UploadState } {
  const { id: userId } = useUser();
  const { uploads, store } = openUploads(useApi(), useQueryClient(), userId);
  return { uploads, store, state: useUploadState() };
}
