import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiKeySchema, newApiKeySchema } from '@plinth/contract/keys';
import { pageSchema } from '@plinth/contract/paging';
import { useApi } from '../platform/useApi.ts';
import { useAct } from '../ui/useAct.ts';

const KEYS = ['keys'];
const PATH = '/api/v1/keys';
const keyPage = pageSchema(apiKeySchema);

/** The person's API keys, all of them: there are twenty at most, which is one page. */
export function useKeys() {
  const api = useApi();
  return useQuery({ queryKey: KEYS, queryFn: async () => (await api.send(PATH, keyPage)).items });
}

export function useKeyActs() {
  const api = useApi();
  const queryClient = useQueryClient();
  const create = async (name: string) => {
    const key = await api.send(PATH, newApiKeySchema, { method: 'POST', body: { name } });
    void queryClient.invalidateQueries({ queryKey: KEYS });
    return key;
  };
  const remove = useAct((own, id: string) => own.command(`${PATH}/${id}`, { method: 'DELETE' }), { stale: KEYS });
  return { create, remove };
}
