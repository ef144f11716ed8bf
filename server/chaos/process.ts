import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { surviveLostConnections } from '../src/platform/machine/last-resort.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';

/** A process of the product that can be told to die at a step of its work, and to have a wrong clock. */

export type Order = { crashAt?: string | undefined; aheadSeconds?: number };

let order: Order = {};
process.on('message', (received: Order) => {
  order = { ...order, ...received };
  process.send?.('heard');
});
// Exits with its parent.
process.on('disconnect', () => process.exit(1));
const config = readConfig(process.env);
const log = createLog('error');
surviveLostConnections(log);
const starting = startApp({
  config,
  secrets: readOrMakeSecrets(config.DATA_DIR),
  databaseUrl: config.DATABASE_URL ?? '',
  clock: { now: () => new Date(Date.now() + (order.aheadSeconds ?? 0) * 1000) },
  log,
  engineUrl: process.env.ENGINE_URL,
  getEngineUrl: () => Promise.reject(new Error('nobody checks here')),
  isEngineUp: () => true,
  pagesDir: '',
  checkpoint: async (name) => {
    if (name === order.crashAt) process.kill(process.pid, 'SIGKILL');
  },
});
// As main.ts does. Otherwise a connection lost during the start would leave a process that never started.
const app = await starting.catch((error: unknown) => {
  log.fatal({ err: error }, 'not started');
  process.exit(1);
});
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
process.stdout.write(`${JSON.stringify({ event: 'listening', port: app.port })}\n`);
