import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Api } from '../platform/api.ts';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from './above/say-refused.ts';

type ActUse = {
  /** What is read anew afterwards, whatever came of it. */
  stale: QueryKey;
  /** The toast that says why it was refused; none where the screen says so itself. */
  toastId?: string;
  onDone?: () => void;
};

/** Something that a person does on the server: sent once, said where it is refused, and what it changed read anew. */
export function useAct<Given = void>(
  send: (api: Api, given: Given) => Promise<unknown>,
  { stale, toastId, onDone }: ActUse,
) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (given: Given) => send(api, given),
    // Without a network it is refused at once: what is paid must not be sent by itself once there is one.
    networkMode: 'always',
    onError: (cause) => toastId !== undefined && sayRefused(cause, toastId),
    onSuccess: () => onDone?.(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: stale }),
  });
}
