// Keys of the query cache. Apart from the queries: every page invalidates them, few use them.
export const RUNS_KEY = ['runs'];
export const LIST_KEY = [...RUNS_KEY, 'list'];
export const runKey = (runId: string) => [...RUNS_KEY, 'one', runId];
