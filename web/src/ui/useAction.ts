import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from './above/say-refused.ts';

type ActionOptions = {
  /** Queries to refetch afterwards, whatever the result. */
  stale: QueryKey;
  /** Id of the toast for a refusal; without one the screen shows it itself. */
  toastId?: string;
  onDone?: () => void;
};

/** A user action on the server: sends it once, reports a refusal, and refetches what it changed. */
export function useAction<Given = void>(
  send: (api: Api, given: Given) => Promise<unknown>,
  { stale, toastId, onDone }: ActionOptions,
) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => send(api, given),
    // Fails at once when offline: a paid action must not be sent automatically on reconnection.
    networkMode: 'always',
    onError: (cause) => toastId !== undefined && sayRefused(cause, toastId),
    onSuccess: () => onDone?.(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: stale }),
  });
}
