import { join } from 'node:path';
import { statusSchema } from '@plinth/contract/status';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type App, startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { startTestApp, type TestApp } from './app.ts';
import { waitUntil } from './makers.ts';
import { makeManualClock, type ManualClock } from './wire.ts';

/** A worker as on another machine. */
const startWorker = (beside: TestApp, clock: ManualClock, isEngineUp: boolean): Promise<App> =>
  startApp({
    config: readConfig({ ...beside.environment, ROLE: 'worker' }),
    secrets: readOrMakeSecrets(beside.dataDir),
    databaseUrl: beside.databaseUrl,
    clock,
    log: createLog('silent'),
    engineUrl: beside.provider.url,
    getEngineUrl: async () => beside.provider.url,
    isEngineUp: () => isEngineUp,
    pagesDir: join(beside.dataDir, 'no-pages'),
    checkpoint: async () => undefined,
  });

it('a web process tells of the engine what the workers report, until they have not for two minutes', async () => {
  const clock = makeManualClock();
  const web = await startTestApp({ ROLE: 'web' }, clock, 'built-in');
  onTestFinished(() => web.close());
  const readEngine = async () => {
    clock.move(60);
    const answer = await fetch(`${web.url}/api/v1/status`);
    return statusSchema.parse(await answer.json()).parts.engine;
  };
  /** What time does to a worker that is gone. */
  const age = (seconds: number) =>
    sql`update housekeeping set engine_up_at = engine_up_at - ${seconds} * interval '1 second'`.execute(web.db);
  expect(await readEngine()).toBe('down');

  const worker = await startWorker(web, clock, true);
  await waitUntil(readEngine, (engine) => engine === 'up');
  await worker.stop();
  await age(90);
  expect(await readEngine()).toBe('up');
  await age(40);
  expect(await readEngine()).toBe('down');

  const failing = await startWorker(web, clock, false);
  onTestFinished(() => failing.stop());
  const swept = await waitUntil(
    async () => (await sql<{ at: Date | null }>`select swept_at as at from housekeeping`.execute(web.db)).rows[0]?.at,
    (at) => at !== null && at !== undefined,
  );
  expect([swept, await readEngine()]).toEqual([expect.any(Date), 'down']);
});
