import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';

/** A worker process that stops each generation of CRASH_AT at its step; once all are there, it sends itself SIGKILL. */

// Exits with its test.
process.on('disconnect', () => process.exit(1));
const config = readConfig({ ...process.env, ROLE: 'worker' });
const steps = new Map(Object.entries(JSON.parse(process.env.CRASH_AT ?? '{}') as Record<string, string>));
const reached = new Set<string>();
await startApp({
  config,
  secrets: readOrMakeSecrets(config.DATA_DIR),
  databaseUrl: config.DATABASE_URL ?? '',
  clock: systemClock,
  log: createLog('error'),
  engineUrl: process.env.ENGINE_URL,
  getEngineUrl: () => Promise.reject(new Error('nobody checks here')),
  isEngineUp: () => true,
  pagesDir: '',
  checkpoint: async (name, generationId) => {
    if (name !== steps.get(generationId)) return;
    reached.add(generationId);
    if (reached.size === steps.size) process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  },
});
