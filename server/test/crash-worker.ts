import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';

/** A worker process of its own that kills itself, as kill -9 would, at the step named in CRASH_AT. */

// The test is gone: so is its worker.
process.on('disconnect', () => process.exit(1));
const config = readConfig({ ...process.env, ROLE: 'worker' });
await startApp({
  config,
  secrets: readOrMakeSecrets(config.DATA_DIR),
  databaseUrl: config.DATABASE_URL ?? '',
  clock: systemClock,
  log: createLog('error'),
  engineUrl: process.env.ENGINE_URL,
  isEngineUp: () => true,
  pagesDir: '',
  checkpoint: async (name) => {
    if (name === process.env.CRASH_AT) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write('working\n');
