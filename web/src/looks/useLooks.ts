import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Look, lookListSchema, lookSchema } from '@plinth/contract/looks';
import { useApi } from '../platform/useApi.ts';
import { sayRefused } from '../ui/above/say-refused.ts';
import { say } from '../ui/above/toast.tsx';

const KEY = ['looks'];
const PATH = '/api/v1/looks';

/** What is saved: an id where it replaces one, none where it is new. */
export type GivenLook = Omit<Look, 'id' | 'createdAt'> & { id?: string };

export function useLooks(): readonly Look[] | undefined {
  const api = useApi();
  return useQuery({ queryKey: KEY, queryFn: async () => (await api.send(PATH, lookListSchema)).items }).data;
}

export function useLookActs() {
  const api = useApi();
  const queryClient = useQueryClient();
  const onError = (cause: Error) => sayRefused(cause, 'look');
  const put = (change: (looks: readonly Look[]) => readonly Look[]) => {
    queryClient.setQueryData<readonly Look[]>(KEY, (looks = []) => change(looks));
    // A list that was asked for before knows nothing of the change.
    void queryClient.invalidateQueries({ queryKey: KEY });
  };
  const save = useMutation({
    mutationFn: ({ id, ...body }: GivenLook) =>
      id === undefined
        ? api.send(PATH, lookSchema, { method: 'POST', body })
        : api.send(`${PATH}/${id}`, lookSchema, { method: 'PUT', body }),
    onError,
    onSuccess: (saved) => {
      put((looks) =>
        looks.some(({ id }) => id === saved.id)
          ? looks.map((look) => (look.id === saved.id ? saved : look))
          : [saved, ...looks],
      );
      say.done('Look saved.', { id: 'look' });
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) => api.command(`${PATH}/${id}`, { method: 'DELETE' }),
    onError,
    onSuccess: (_gone, id) => put((looks) => looks.filter((look) => look.id !== id)),
  });
  return { save, remove };
}
