import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Api } from '../../platform/api.ts';
import { useApi } from '../../platform/useApi.ts';
import { Uploads } from './uploads.ts';

let opened: Uploads | null = null;
if (typeof window === 'object') window.addEventListener('online', () => opened?.wake());

/** The uploads of the current user, which continue on every screen. */
export function openUploads(api: Api, queryClient: QueryClient): Uploads {
  return (opened ??= new Uploads({ api, queryClient, lockRun }));
}

export function useUploads(): Uploads {
  return openUploads(useApi(), useQueryClient());
}

/** Without the Locks API, as over plain HTTP, two tabs may send the same photo; the server accepts it once. */
function lockRun(runId: string, signal: AbortSignal): Promise<() => void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return Promise.resolve(() => {});
  return new Promise((locked, failed) => {
    const keep = () => new Promise<void>((release) => locked(release));
    locks.request(`plinth-run-${runId}`, { signal }, keep).catch(failed);
  });
}
