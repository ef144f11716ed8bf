import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

type Check = () => Promise<unknown>;
type HealthChecks = Record<'database' | 'storage' | 'queue', Check>;
/** Run after the others, and named in the answer only if they fail. */
type HiddenChecks = Record<'clock' | 'engine', () => boolean>;

const CHECK_MS = 1500;

export function addHealthRoutes(http: FastifyInstance, checks: HealthChecks, hidden: HiddenChecks): void {
  let running: ReturnType<typeof runAll> | undefined;
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    // The route is public and unlimited, and requests to a bucket cost money: concurrent callers share one answer.
    running ??= runAll(checks).finally(() => (running = undefined));
    const results = [...(await running)];
    for (const [name, check] of Object.entries(hidden)) if (!check()) results.push([name, false]);
    const isReady = results.every(([, result]) => result);
    const shown = results.map(([name, result]) => [name, result ? 'ok' : 'failed'] as const);
    return reply
      .status(isReady ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status: isReady ? 'ready' : 'unready', checks: Object.fromEntries(shown) });
  });
}

function runAll(checks: HealthChecks): Promise<[name: string, isFine: boolean][]> {
  return Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await isHealthy(check)]));
}

function isHealthy(check: Check): Promise<boolean> {
  const timeout = sleep(CHECK_MS, false, { ref: false });
  return Promise.race([check().then(() => true), timeout]).catch(() => false);
}
