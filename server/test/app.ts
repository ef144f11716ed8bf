import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, startApp } from '../src/app.ts';
import type { SessionSettings } from '../src/auth/sessions.ts';
import { readConfig } from '../src/config.ts';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { createLog } from '../src/platform/log.ts';
import { readOrMakeSecrets } from '../src/platform/machine/secrets.ts';
import { makeSessionSettings } from '../src/parts.ts';
import { makeDatabase } from './database.ts';
import { type ScriptedProvider, startScriptedProvider } from './provider-script.ts';

/** Settings of a publicly reachable app whose operator allows the sandbox. */
export const BEFORE_STRANGERS = {
  PUBLIC_ORIGIN: 'https://shop.example',
  PAYMENTS: 'sandbox',
  ALLOW_SANDBOX: '1',
  SANDBOX_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of our very own').toString('base64')}`,
};

export type TestApp = {
  url: string;
  dataDir: string;
  databaseUrl: string;
  db: Awaited<ReturnType<typeof makeDatabase>>['db'];
  provider: ScriptedProvider;
  /** Its routes, as `GET /api/v1/media/:id`; sorted. */
  routes: string[];
  /** Its settings, for a second process on the same data. */
  environment: Record<string, string>;
  /** The app's own parts, for making users without HTTP requests. */
  sessions: SessionSettings;
  welcomeCredits: number;
  /** Everything logged so far, one JSON line each. */
  logged: string[];
  /** Secret of sandbox webhooks. */
  sandboxSecret: string;
  /** Stops the server and restarts it on the same data. */
  restart: () => Promise<void>;
  /** Starts a worker beside it, on the same data. */
  startWorker: () => Promise<App>;
  close: () => Promise<void>;
};

/**
 * The real app on a fresh database, over real HTTP, with a scripted provider on fal's wire format: a hosted one, or in
 * place of the built-in engine. It also answers the checks' engine calls, unless `getEngineUrl` names a real engine.
 */
export async function startTestApp(
  settings: Record<string, string> = {},
  clock: Clock = systemClock,
  place: 'hosted' | 'built-in' = 'hosted',
  getEngineUrl?: () => Promise<string>,
): Promise<TestApp> {
  const database = await makeDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'plinth-app-'));
  const provider = await startScriptedProvider();
  const environment: Record<string, string> = {
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    AUTH_EMAIL_SIGNUP: 'true',
    ...(place === 'hosted' && {
      FAL_KEY: 'key:of-the-test',
      FAL_QUEUE_URL: provider.url,
      FAL_REST_URL: provider.url,
      FAL_RUN_URL: provider.url,
    }),
    RESULT_HOSTS: provider.host,
    // The engine is not polled; the scaled time is the timeout of its call.
    PROVIDER_POLL_SCALE: place === 'hosted' ? '0.02' : '1',
    RATE_LIMIT_SCALE: '100',
    LOG_LEVEL: 'error',
    SIGNUP_CREDITS: '0',
    ...settings,
  };
  const config = readConfig(environment);
  const secrets = readOrMakeSecrets(dataDir);
  const logged: string[] = [];
  const write = (line: string) => {
    logged.push(line);
    // Errors are printed beside the test that causes them, except those that a test expects.
    if (config.LOG_LEVEL === 'error') process.stderr.write(line);
  };
  const start = (role = config.ROLE): Promise<App> =>
    startApp({
      config: { ...config, ROLE: role },
      secrets,
      databaseUrl: config.DATABASE_URL ?? database.url,
      clock,
      log: createLog(config.LOG_LEVEL, role, { write }),
      engineUrl: place === 'built-in' ? provider.url : undefined,
      getEngineUrl: getEngineUrl ?? (async () => provider.url),
      isEngineUp: () => true,
      pagesDir: join(dataDir, 'no-pages'),
      checkpoint: async () => undefined,
    });
  let app = await start();
  const testApp: TestApp = {
    url: `http://127.0.0.1:${app.port}`,
    dataDir,
    databaseUrl: database.url,
    db: database.db,
    provider,
    routes: app.routes.flatMap(({ url, methods }) => methods.map((method) => `${method} ${url}`)).sort(),
    environment,
    sessions: makeSessionSettings(config, clock),
    welcomeCredits: config.SIGNUP_CREDITS,
    logged,
    sandboxSecret: config.SANDBOX_WEBHOOK_SECRET ?? secrets.sandboxWebhookSecret,
    restart: async () => {
      await app.stop();
      app = await start();
      testApp.url = `http://127.0.0.1:${app.port}`;
    },
    startWorker: () => start('worker'),
    close: async () => {
      await app.stop();
      await provider.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return testApp;
}
