import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Look, lookInputSchema, lookListSchema, lookSchema, lookSettingsSchema } from '@plinth/contract/looks';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from '../ui/above/say-refused.ts';
import { say } from '../ui/above/toast.tsx';
import { useAction } from '../ui/useAction.ts';

const KEY = ['looks'];
const PATH = '/api/v1/looks';

/** The look to save: with an id it replaces one, without it is new. */
export type GivenLook = Omit<Look, 'id' | 'createdAt'> & { id?: string };

export function useLooks(): readonly Look[] | undefined {
  const api = useApi();
  return useQuery({ queryKey: KEY, queryFn: async () => (await api.send(PATH, lookListSchema)).items }).data;
}

export function useSaveLook() {
  const api = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: GivenLook) =>
      id === undefined
        ? api.send(PATH, lookSchema, { method: 'POST', body })
        : api.send(`${PATH}/${id}`, lookSchema, { method: 'PUT', body }),
    networkMode: 'always', // As in `useAction`.
    onError: (cause) => sayRefused(cause, 'look'),
    onSuccess: (saved) => {
      // Only listed looks can be chosen, even if they cannot be read at the moment.
      queryClient.setQueryData<readonly Look[]>(KEY, (looks = []) => {
        const at = looks.findIndex(({ id }) => id === saved.id);
        return at < 0 ? [saved, ...looks] : looks.with(at, saved);
      });
      void queryClient.invalidateQueries({ queryKey: KEY });
      say.done('Look saved.', { id: 'look' });
    },
  });
}

export function useDeleteLook() {
  return useAction((api, id: string) => api.command(`${PATH}/${id}`, { method: 'DELETE' }), {
    stale: KEY,
    toastId: 'look',
  });
}

/** Reads an exported look file as a new look; null if it contains none. */
export function readLookFile(text: string): GivenLook | null {
  try {
    const given = lookInputSchema.parse(JSON.parse(text));
    return { name: given.name, ...lookSettingsSchema.parse(given) };
  } catch {
    return null;
  }
}
