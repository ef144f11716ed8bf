import { fstatSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from './clock.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { makePrivateFolder } from './work/durable.ts';
import { Files } from './work/files.ts';
import { JobStore } from './work/job-store.ts';
import { Jobs, makeTmp } from './work/jobs.ts';
import { errorText, log } from './log.ts';
import { makePoolLimits } from './work/limits.ts';
import { Pool } from './work/pool.ts';
import { addCompatRoutes, type Compat } from './compat/routes.ts';
import { openTokenMint } from './compat/tokens.ts';
import { openWebhookKey } from './compat/webhook-key.ts';
import { findTargetFault } from './compat/webhook-target.ts';
import { Webhooks } from './compat/webhooks.ts';
import { makeHttp } from './wire/http.ts';
import { describeWebhook } from './wire/queue-answers.ts';
import { openRealtime } from './compat/realtime.ts';
import { addRoutes } from './wire/routes.ts';

const TIDY_EVERY_MS = 1000;
const PURGE_EVERY_MS = 15_000;
const EXIT_WITHIN_MS = 1500;

const config = readConfigOrExit();
const clock = systemClock;
const ttlMs = config.ttlSeconds * 1000;
const tmpDir = join(config.dataDir, 'tmp');

// The pool first: its worker loads its libraries while we read the disk.
const { workers } = config;
const size = { workers, taskMs: config.stillSeconds * 1000, videoMs: config.videoSeconds * 1000 };
const pool = new Pool(makePoolLimits(size, config.workerMegabytes), clock, {
  threads: config.networkThreads,
  ...(config.cutoutCard !== undefined && { card: config.cutoutCard }),
  operator: config.network,
});
await makePrivateFolder(config.dataDir);
await makeTmp(tmpDir);
const files = new Files(join(config.dataDir, 'files'), ttlMs, clock);
await files.open();
const jobs = new Jobs({ store: new JobStore(join(config.dataDir, 'jobs')), files, pool, clock, ttlMs, tmpDir });
await jobs.open();
await purge();

const webhookKey = await openWebhookKey(join(config.dataDir, 'webhook-key.json'));
const compat: Compat = {
  jobs,
  files,
  key: config.key,
  tokens: openTokenMint(config.key, clock),
  webhookKeys: webhookKey.publicKeys,
  findTargetFault: (address) => findTargetFault(address, config.webhookHosts),
  tmpDir,
};
const http = makeHttp();
await addRoutes(http, compat);
await addCompatRoutes(http, compat);
const closeRealtime = openRealtime(compat, http.server, config.realtimeIdleSeconds * 1000);
await Promise.all([http.listen({ port: config.port, host: config.host }), pool.whenReady()]);
const { port } = http.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ event: 'listening', port })}\n`);

const webhooks = new Webhooks({
  jobs,
  key: webhookKey,
  clock,
  retryMs: config.webhookRetrySeconds * 1000,
  describe: (job) => describeWebhook(job, `http://127.0.0.1:${port}`), // a receiver elsewhere asks with its own address
});
jobs.onEnd(() => webhooks.deliverDue());
const tidying = setInterval(() => {
  void jobs.tidy().catch(logFault);
  webhooks.deliverDue();
}, TIDY_EVERY_MS);
const purging = setInterval(() => void purge().catch(logFault), Math.min(PURGE_EVERY_MS, ttlMs / 2));

process.once('SIGTERM', close);
process.once('SIGINT', close);
// Never outlive the server that started us, even when it had no chance to say so.
process.once('disconnect', close);
if (isPipe(0)) process.stdin.once('end', close).once('close', close).resume();

function readConfigOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

async function purge(): Promise<void> {
  await jobs.tidy();
  await files.deleteExpired();
}

let isClosing = false;
function close(): void {
  if (isClosing) return;
  isClosing = true;
  setTimeout(() => process.exit(0), EXIT_WITHIN_MS).unref();
  clearInterval(tidying);
  clearInterval(purging);
  jobs.close();
  webhooks.close();
  closeRealtime();
  void http.close().catch(logFault);
  void pool.close().then(() => process.exit(0));
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false; // closed
  }
}

function logFault(error: unknown): void {
  log('fault', { error: errorText(error) });
}
