import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { errors } from '@plinth/contract/errors';
import type { Run } from '@plinth/contract/runs';
import { refetchCredits, watchCredits } from '../../credits/useCredits.ts';
import type { Api } from '../../platform/api.ts';
import { whenEnded } from '../../platform/kept/client-store.ts';
import { useApi } from '../../platform/useApi.ts';
import { plural } from '../../ui/format.ts';
import { say } from '../../ui/above/toast.tsx';
import { runKey, RUNS_KEY } from '../keys.ts';
import { Uploads } from './uploads.ts';

let opened: Uploads | null = null;
let unwatch = () => {};
whenEnded('session', () => {
  unwatch();
  opened?.stop();
  opened = null;
});
if (typeof window === 'object') window.addEventListener('online', () => opened?.wake());

/** The uploads of the person who is signed in, which go on whatever screen is open. */
export function openUploads(api: Api, queryClient: QueryClient): Uploads {
  const onClosed = (runId: string, leftCount: number) => {
    say.wrong(`${errors.run_closed.detail} ${plural(leftCount, 'photo')} not uploaded.`, { id: `closed-${runId}` });
    void queryClient.invalidateQueries({ queryKey: RUNS_KEY });
  };
  const onAllThere = (run: Run) =>
    queryClient.setQueryData<Run>(runKey(run.id), (known) =>
      known && known.counts.total < run.counts.total ? run : known,
    );
  if (opened !== null) return opened;
  const uploads = new Uploads({ api, onAllThere, onClosed, onPoor: () => refetchCredits(queryClient) });
  unwatch = watchCredits(queryClient, (credits) => uploads.setCredits(credits));
  return (opened = uploads);
}

export function useUploads(): Uploads {
  return openUploads(useApi(), useQueryClient());
}
