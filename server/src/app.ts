import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { addAccountRoutes } from './account/routes.ts';
import { lockAccess } from './auth/access.ts';
import { addKeyRoutes } from './auth/key-routes.ts';
import { addOidcRoutes, type OidcClient } from './auth/oidc.ts';
import { isLocalGoogleAllowed, listLocalEmails, makeLocalGoogle } from './auth/local-google.ts';
import { addAuthRoutes } from './auth/routes.ts';
import { DEMO_EMAIL, seedDemoAccount } from './commands/seed.ts';
import { addAuthentication } from './callers.ts';
import type { Config } from './config.ts';
import { addCreditRoutes } from './credits/routes.ts';
import { addHeadshotModelRoutes } from './generations/headshot-models.ts';
import { addGenerationRoutes } from './generations/routes.ts';
import { runGeneration } from './generations/run.ts';
import { addSceneRoutes } from './generations/scenes.ts';
import { addSubjectRoute } from './generations/subject.ts';
import { writeGauges } from './gauges.ts';
import { ENGINE_GONE_SECONDS, runHousekeeping } from './housekeeping.ts';
import { addForms } from './media/form.ts';
import { addAgentRoutes } from './mcp/routes.ts';
import { addLookRoutes } from './looks/routes.ts';
import { addMediaRoutes } from './media/routes.ts';
import { signDerived } from './origin/labels.ts';
import { addOriginRoutes } from './origin/routes.ts';
import { addPackRoutes } from './packs/routes.ts';
import { readCheckoutState } from './payments/checkout-state.ts';
import { addPaymentRoutes } from './payments/routes.ts';
import { limitReads } from './platform/http/limits.ts';
import { addOpenApi, addRoute } from './platform/http/route.ts';
import { checkFreeSpace } from './platform/machine/disk.ts';
import { DRIFT_UNREADY_SECONDS, measureDrift } from './platform/data/clock-drift.ts';
import { wasEngineUp } from './platform/data/housekeeping-state.ts';
import { measureQueue } from './platform/data/queue.ts';
import { addHealthRoutes } from './platform/http/health.ts';
import { listen } from './platform/http/listen.ts';
import { closeHttp, makeHttp, type RouteTable } from './platform/http/http.ts';
import { addMetrics, measureHttp } from './platform/metrics.ts';
import { addPages, readPages, sendNotFound } from './platform/http/pages.ts';
import { addRobots } from './platform/http/robots.ts';
import { announceRuns } from './runs/announcements.ts';
import { addRunRoutes } from './runs/routes.ts';
import { addStatusRoutes, type PartChecks } from './status/status.ts';
import { addWebhookRoutes } from './webhooks/routes.ts';
import { sendWebhooks } from './webhooks/sending.ts';
import { makeSite } from './make-site.ts';
import { type AppOptions, makeParts, type Parts } from './parts.ts';

export type App = { port: number; routes: RouteTable; demo: Demo | undefined; stop: () => Promise<void> };
type Demo = { email: string; password: string };

/** Wires the rooms together and starts the configured roles. The only place where rooms meet. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config } = options;
  const parts = await makeParts(options);
  const servers: FastifyInstance[] = [];
  const stop = () => stopApp(parts, servers);
  try {
    const demo = hasDemo(config) ? await seedDemoAccount(parts.db, parts.clock, parts.secrets.demoPassword) : undefined;
    const http = config.ROLE === 'worker' ? undefined : await startWeb(parts);
    if (http !== undefined) servers.push(http);
    if (config.ROLE !== 'web') await startWorker(parts);
    servers.push(...(await serveSeparately(parts, 'HEALTH_PORT', addHealth)));
    servers.push(...(await serveSeparately(parts, 'METRICS_PORT', addAllMetrics)));
    const address = http?.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { port, routes: http?.routeTable ?? [], demo, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startWeb(parts: Parts): Promise<FastifyInstance> {
  const { config, db, publicOrigin } = parts;
  const pages = readPages(parts.pagesDir, publicOrigin, makeSite(config));
  if (pages === undefined)
    parts.log.warn({ folder: parts.pagesDir }, 'no pages are served: build them, or correct PAGES_DIR');
  const http = await makeHttp({
    ...parts,
    sendNotFound: pages && ((request, reply) => sendNotFound(pages, request, reply)),
  });
  measureHttp(http, parts.metrics);
  addAuthentication(http, db, parts.sessions);
  limitReads(http, config.RATE_LIMIT_SCALE);
  await addForms(http);
  addSignIn(http, parts);
  addModules(http, parts);
  addRoute(http, 'get /events', { counts: 'stream' }, (request, reply) => parts.streams.open(request, reply));
  addOpenApi(http);
  addRobots(http, publicOrigin);
  addHealth(http, parts);
  if (pages !== undefined) await addPages(http, pages);
  await listen(http, { host: config.HOST, port: config.PORT }, { host: 'HOST', port: 'PORT' });
  return http;
}

function addHealth(http: FastifyInstance, { config, db, storage, queue, hub, clock, isEngineUp }: Parts): void {
  let drift = 0;
  const checks = {
    database: async () => {
      drift = await measureDrift(db, clock);
    },
    storage: () => Promise.all([storage.check(), checkFreeSpace(config.DATA_DIR)]),
    queue: async () => {
      if (!queue.isUp() || !hub.isUp()) throw new Error('not connected');
    },
  };
  addHealthRoutes(http, checks, { clock: () => Math.abs(drift) <= DRIFT_UNREADY_SECONDS, engine: isEngineUp });
}

/** Queue delay above which the status is slow. */
const SLOW_QUEUE_SECONDS = 60;

function makePartChecks({ config, db, clock, storage, queue, isEngineUp }: Parts): PartChecks {
  // A process without an engine knows it from the workers' reports.
  const isSomeEngineUp = config.ROLE === 'web' ? () => wasEngineUp(db, ENGINE_GONE_SECONDS) : async () => isEngineUp();
  return {
    engine: async () => ((await isSomeEngineUp()) ? 'up' : 'down'),
    payments: () => readCheckoutState(db, clock.now()),
    storage: () => storage.check().then(() => 'up'),
    queue: async () => {
      if (!queue.isUp()) return 'down';
      return (await measureQueue(db)).delaySeconds > SLOW_QUEUE_SECONDS ? 'slow' : 'up';
    },
  };
}

function addModules(http: FastifyInstance, parts: Parts): void {
  addCreditRoutes(http, parts);
  addStatusRoutes(http, { ...parts, parts: makePartChecks(parts) });
  addPaymentRoutes(http, { ...parts, webhooks: parts.metrics.webhooks });
  addMediaRoutes(http, parts.library, (derived, from, at) => signDerived(derived, from, at, parts.packs.signer));
  addAccountRoutes(http, parts);
  addLookRoutes(http, parts);
  addPackRoutes(http, { ...parts, ...parts.packs });
  addOriginRoutes(http, parts);
  addGenerationRoutes(http, parts);
  addSubjectRoute(http, parts);
  addRunRoutes(http, parts);
  addAgentRoutes(http, parts);
  addWebhookRoutes(http, { ...parts, lockAccess });
  addHeadshotModelRoutes(http, parts.headshotModels);
  addSceneRoutes(http, parts);
}

/** E-mail and password, and Google: the real one with credentials, the local stand-in on one machine. */
function addSignIn(http: FastifyInstance, parts: Parts): void {
  const { config, emailSignUp, welcomeCredits: signUpCredits } = parts;
  const client = findOidcClient(http, parts);
  const google = client === undefined ? 'off' : config.OIDC_CLIENT_ID === undefined ? 'local' : 'google';
  // Its password is the code printed in the terminal, because HTTP requests may come through an unannounced proxy.
  const demo = hasDemo(config) ? { email: DEMO_EMAIL } : null;
  addKeyRoutes(http, parts);
  addAuthRoutes(http, { ...parts, signInOptions: { emailSignUp, google, demo, signUpCredits } });
  if (client !== undefined) addOidcRoutes(http, { ...parts, client });
}

function findOidcClient(http: FastifyInstance, { config, db, log }: Parts): (() => OidcClient) | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  if (clientId !== undefined && clientSecret !== undefined)
    return () => ({ issuer, clientId, clientSecret, identityIssuer: issuer });
  if (!isLocalGoogleAllowed(config)) return undefined;
  return makeLocalGoogle(http, { log, listEmails: () => listLocalEmails(db) });
}

/** True if there is a demo account: only if nobody but the machine's owner has access. */
function hasDemo(config: Config): boolean {
  return config.isLoopback && config.DATABASE_URL === undefined && !config.isProduction;
}

async function startWorker(parts: Parts): Promise<void> {
  void runHousekeeping(parts);
  void announceRuns(parts);
  parts.ending = sendWebhooks({ ...parts, tries: parts.metrics.webhookDeliveries });
  await parts.queue.workGenerations(parts.slots, (generationId) => runGeneration(parts, generationId));
}

/** Metrics and health for the operator, at a separate address: workers have no other, and it is not public. */
async function serveSeparately(
  parts: Parts,
  name: 'METRICS_PORT' | 'HEALTH_PORT',
  add: typeof addHealth,
): Promise<FastifyInstance[]> {
  const { METRICS_HOST: host, [name]: port } = parts.config;
  if (port === undefined) return [];
  const http = Fastify();
  add(http, parts);
  await listen(http, { host, port }, { host: 'METRICS_HOST', port: name });
  return [http];
}

function addAllMetrics(http: FastifyInstance, { metrics, db, streams, isLeader }: Parts): void {
  addMetrics(http, metrics, async () => {
    metrics.sseClients.set(streams.count());
    return (await isLeader()) ? writeGauges(db) : '';
  });
}

/** Stops accepting work, finishes responses, returns running jobs to the queue. */
async function stopApp(parts: Parts, servers: FastifyInstance[]): Promise<void> {
  parts.stop();
  parts.streams.closeAll();
  await Promise.all(servers.map((server) => closeHttp(server, 4000)));
  await Promise.all([parts.queue.stop(2000), Promise.race([parts.ending, sleep(2000, undefined, { ref: false })])]);
  await parts.packs.threads.stop();
  await parts.hub.close();
  await parts.database.close();
}
