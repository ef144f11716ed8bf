import type { Adapter, AdapterPayload } from 'oidc-provider';

const ROW_LIMIT = 1000;

/** Rows in memory; the oldest go first. The provider itself looks at the time that each row carries. */
export function makeMemory(): (model: string) => Adapter {
  const rows = new Map<string, AdapterPayload>();
  return (model) => {
    const find = async (isWanted: (row: AdapterPayload) => boolean) =>
      [...rows].find(([key, row]) => key.startsWith(`${model} `) && isWanted(row))?.[1];
    return {
      upsert: async (id, row) => {
        rows.delete(`${model} ${id}`);
        rows.set(`${model} ${id}`, row);
        for (const key of [...rows.keys()].slice(0, Math.max(0, rows.size - ROW_LIMIT))) rows.delete(key);
      },
      find: async (id) => rows.get(`${model} ${id}`),
      findByUid: (uid) => find((row) => row.uid === uid),
      findByUserCode: (userCode) => find((row) => row.userCode === userCode),
      consume: async (id) => {
        const row = rows.get(`${model} ${id}`);
        if (row !== undefined) row.consumed = row.exp ?? true;
      },
      destroy: async (id) => void rows.delete(`${model} ${id}`),
      revokeByGrantId: async (grantId) => {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
      },
    };
  };
}
