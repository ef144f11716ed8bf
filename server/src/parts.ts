import { findEnded, type SessionSettings } from './auth/sessions.ts';
import type { Config } from './config.ts';
import { readCredits } from './credits/ledger.ts';
import { type HeadshotModels, openHeadshotModels } from './generations/headshot-models.ts';
import { type RunOptions } from './generations/run.ts';
import type { Library } from './media/library.ts';
import type { Clock } from './platform/clock.ts';
import { type Database, openDatabase } from './platform/data/db.ts';
import { type EventHub, openEventHub } from './platform/data/events.ts';
import { type EventStreams, makeEventStreams } from './platform/http/event-stream.ts';
import { openRequestLimits, type RequestLimits } from './platform/http/limits.ts';
import type { Log } from './platform/log.ts';
import { makeMetrics, type Metrics } from './platform/metrics.ts';
import { openQueue, type Queue } from './platform/data/queue.ts';
import type { Secrets } from './platform/machine/secrets.ts';
import { openHeadshotModelStorage, openStorage } from './platform/data/open-storage.ts';
import type { Storage } from './platform/data/storage.ts';
import { findSandboxSecret, makeProcessors, makeSeller } from './make-processors.ts';
import { makeLooker, makeProviders, makeSubjectFinder, type Providers } from './make-providers.ts';
import { readOperatorCertificate } from './origin/certificate.ts';
import { openSigner } from './origin/signers.ts';
import type { Packs } from './packs/packs.ts';
import { startThreads } from './packs/threads.ts';
import type { Processors } from './payments/processor.ts';
import type { Seller } from './payments/receipts.ts';

/** What the rooms are made of: opened once, handed down, closed by the app. */

export type AppOptions = {
  config: Config;
  secrets: Secrets;
  databaseUrl: string;
  clock: Clock;
  log: Log;
  /** Address of the built-in engine; undefined where it is not needed. */
  engineUrl: string | undefined;
  /** Starts an engine for checks, at the first one; left out where checks ask the one at `engineUrl`. */
  getEngineUrl?: () => Promise<string>;
  /** False while the built-in engine of this process hangs or starts again. */
  isEngineUp: () => boolean;
  /** Folder of the built browser part. */
  pagesDir: string;
  checkpoint: RunOptions['checkpoint'];
};

export type Parts = AppOptions & {
  database: Database;
  hub: EventHub;
  queue: Queue;
  storage: Storage;
  library: Library;
  metrics: Metrics;
  limits: RequestLimits;
  providers: Providers;
  packs: Packs;
  findSubject: ReturnType<typeof makeSubjectFinder>;
  processors: Processors;
  sandboxSecret: string | undefined;
  seller: Seller;
  headshotModels: HeadshotModels;
  sessions: SessionSettings;
  streams: EventStreams;
  stopping: AbortController;
  /** What gives back what it began, before the database is closed. */
  ending: Promise<void>;
};

/** Opens everything that has a life. */
export async function makeParts(options: AppOptions): Promise<Parts> {
  const { config, databaseUrl, clock, log } = options;
  const operator = readOperatorCertificate(config, clock.now());
  const database = openDatabase(databaseUrl);
  const hub = await openEventHub(databaseUrl, log);
  const queue = await openQueue(databaseUrl, { supervises: config.ROLE !== 'web', log });
  const storage = await openStorage(config);
  const metrics = makeMetrics();
  const { db } = database;
  const signer = await openSigner(db, clock, operator);
  const sessions = makeSessionSettings(config, clock);
  const library = {
    db,
    storage,
    clock,
    ttlSeconds: config.MEDIA_TTL_SECONDS,
    maxStorageBytes: config.MAX_STORAGE_BYTES,
  };
  const streams = makeEventStreams({
    db,
    hub,
    clock,
    hello: async (userId) => ({ credits: await readCredits(db, userId) }),
    findEnded: (ids) => findEnded(db, sessions, ids),
  });
  const limits = openRequestLimits(database.pool, config.RATE_LIMIT_SCALE);
  const { engineUrl, secrets } = options;
  const providers = makeProviders({ config, engineKey: secrets.engineKey, engineUrl, metrics });
  const getEngineUrl = options.getEngineUrl ?? (async () => engineUrl);
  const engine = { engineKey: secrets.engineKey, metrics };
  const sandboxSecret = findSandboxSecret(config, secrets.sandboxWebhookSecret);
  const headshotModels = openHeadshotModels({ storage: await openHeadshotModelStorage(config), clock, log });
  const made = {
    database,
    hub,
    queue,
    storage,
    library,
    metrics,
    limits,
    providers,
    packs: { library, threads: startThreads(), signer, ...makeLooker(engine, getEngineUrl) },
    findSubject: makeSubjectFinder(engine, getEngineUrl),
    processors: await makeProcessors(config, sandboxSecret ?? '', clock),
    sandboxSecret,
    seller: makeSeller(config),
    headshotModels,
    sessions,
    streams,
  };
  return { ...options, ...made, stopping: new AbortController(), ending: Promise.resolve() };
}

export const makeSessionSettings = (config: Config, clock: Clock): SessionSettings => ({
  clock,
  ttlSeconds: config.SESSION_TTL_SECONDS,
  idleSeconds: config.SESSION_IDLE_SECONDS,
  isSecure: config.PUBLIC_ORIGIN?.startsWith('https:') === true,
});
