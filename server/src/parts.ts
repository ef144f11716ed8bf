import { listEnded, type SessionSettings } from './auth/sessions.ts';
import type { Config } from './config.ts';
import { readCredits } from './credits/ledger.ts';
import { openHeadshotModels } from './generations/headshot-models.ts';
import { type RunOptions } from './generations/run.ts';
import { makeFormQueue } from './media/form-queue.ts';
import type { Library } from './media/library.ts';
import type { Clock } from './platform/clock.ts';
import { openDatabase } from './platform/data/db.ts';
import { openEventHub } from './platform/data/events.ts';
import { makeLeaderCheck } from './platform/data/leader.ts';
import { makeEventStreams } from './platform/http/event-stream.ts';
import { openRequestLimits } from './platform/http/limits.ts';
import type { Log } from './platform/log.ts';
import { makeMetrics } from './platform/metrics.ts';
import { openQueue } from './platform/data/queue.ts';
import type { Secrets } from './platform/machine/secrets.ts';
import { tmpFolder } from './platform/machine/tmp-folder.ts';
import { openHeadshotModelStorage, openStorage } from './platform/data/open-storage.ts';
import { findSandboxSecret, makeProcessors, makeSeller } from './make-processors.ts';
import { makeEngineCalls, makeProviders, makeSecondTries } from './make-providers.ts';
import { readOperatorCertificate } from './origin/certificate.ts';
import { openSigner } from './origin/signers.ts';
import { startThreads } from './packs/threads.ts';

/** The parts that rooms depend on: opened once, passed to each room, closed by the app. */

export type AppOptions = {
  config: Config;
  secrets: Secrets;
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** Address of the built-in engine; undefined if it is not needed. */
  engineUrl: string | undefined;
  /** Address of the engine for checks; starts it at the first call if necessary. */
  getEngineUrl: () => Promise<string>;
  /** False while this process's engine hangs or restarts. */
  isEngineUp: () => boolean;
  /** Folder of the built browser part. */
  pagesDir: string;
  checkpoint: RunOptions['checkpoint'];
};

export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** Opens everything with a lifetime. Each room picks what its own options name. */
export async function makeParts(options: AppOptions) {
  const { config, databaseUrl, clock, log, engineUrl, getEngineUrl, secrets } = options;
  const settings = listSettings(config);
  const operator = readOperatorCertificate(config, clock.now());
  const database = openDatabase(databaseUrl);
  const { db } = database;
  const hub = await openEventHub(databaseUrl, log);
  const queue = await openQueue(databaseUrl, { supervises: config.ROLE !== 'web', log });
  const storage = await openStorage(config);
  const metrics = makeMetrics();
  const sessions = makeSessionSettings(config, clock);
  const library: Library = { ...settings, db, storage, clock };
  const wire = { engineKey: secrets.engineKey, metrics };
  const providers = makeProviders({ ...wire, config, engineUrl });
  const { findSubject, ...engine } = makeEngineCalls(wire, getEngineUrl);
  const sandboxSecret = findSandboxSecret(config, secrets.sandboxWebhookSecret);
  const signer = await openSigner(db, clock, operator);
  const listEndedAccess = (ids: string[]) => listEnded(db, sessions, ids);
  const stopping = new AbortController();
  return {
    ...options,
    ...settings,
    ...makeSecondTries(config, providers),
    database,
    db,
    hub,
    isLeader: makeLeaderCheck(db),
    queue,
    storage,
    library,
    metrics,
    sessions,
    sandboxSecret,
    limits: openRequestLimits(database.pool, config.RATE_LIMIT_SCALE),
    formQueue: makeFormQueue(),
    listEnded: listEndedAccess,
    providerOf: providers.of,
    slots: providers.slots,
    packs: { library, threads: startThreads(), signer, ...engine },
    findSubject,
    processors: await makeProcessors(config, sandboxSecret ?? '', clock),
    seller: makeSeller(config),
    headshotModels: openHeadshotModels({ storage: await openHeadshotModelStorage(config), clock, log }),
    streams: makeEventStreams({
      db,
      hub,
      clock,
      hello: async (userId) => ({ credits: await readCredits(db, userId) }),
      listEnded: listEndedAccess,
    }),
    stop: () => stopping.abort(),
    stopping: stopping.signal,
    /** Background work that must finish before the database closes. */
    ending: Promise.resolve(),
  };
}

/** Settings under the rooms' own names. */
const listSettings = (config: Config) => ({
  publicOrigin: config.PUBLIC_ORIGIN,
  trustProxyHops: config.TRUST_PROXY_HOPS,
  emailSignUp: config.AUTH_EMAIL_SIGNUP,
  welcomeCredits: config.SIGNUP_CREDITS,
  ttlSeconds: config.MEDIA_TTL_SECONDS,
  maxStorageBytes: config.MAX_STORAGE_BYTES,
  intervalSeconds: config.SWEEP_INTERVAL_SECONDS,
  maxInFlight: config.MAX_INFLIGHT_PER_USER,
  formFolder: tmpFolder(config.DATA_DIR),
  uploadSeconds: config.UPLOAD_SECONDS,
  pollScale: config.PROVIDER_POLL_SCALE,
  allowedHosts: config.WEBHOOK_HOSTS,
});

export const makeSessionSettings = (config: Config, clock: Clock): SessionSettings => ({
  clock,
  ttlSeconds: config.SESSION_TTL_SECONDS,
  idleSeconds: config.SESSION_IDLE_SECONDS,
  isSecure: config.PUBLIC_ORIGIN?.startsWith('https:') === true,
});
