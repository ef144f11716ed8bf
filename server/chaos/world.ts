import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { migrate } from '../src/commands/migrate.ts';
import { readConfig } from '../src/config.ts';
import type { Library } from '../src/media/library.ts';
import { type Database, openDatabase } from '../src/platform/data/db.ts';
import { startEmbeddedPostgres } from '../src/platform/machine/embedded-postgres.ts';
import { openStorage } from '../src/platform/data/open-storage.ts';
import type { TestUser } from '../test/makers.ts';
import { type Product, startProduct } from '../test/product.ts';
import { type ScriptedProvider, startScriptedProvider } from '../test/provider-script.ts';
import { startProxy } from '../test/wire.ts';

/**
 * The whole product on real parts: Postgres, a bucket, a provider, two web and two worker processes, and a proxy before
 * each part.
 */

type Proxy = Awaited<ReturnType<typeof startProxy>>;
export type Member = { role: 'web' | 'worker'; product: Product; isChanging: boolean };
export type World = {
  members: Member[];
  /** Proxies that can be closed and frozen. */
  proxies: Record<'database' | 'bucket' | 'provider', Proxy>;
  provider: ScriptedProvider;
  /** Users that generate traffic; a user who deletes the account is removed. */
  people: TestUser[];
  /** The database without a proxy. */
  database: Database;
  databaseUrl: string;
  /** Settings of its processes, for starting another one. */
  environment: Record<string, string>;
  /** Rows and files as the operator's commands see them. */
  library: Library;
  /** True if the provider is paid, and so never called twice. */
  isPaid: boolean;
  /** Output of all processes, including dead ones. */
  written: () => string;
  /** Restarts this process. */
  revive: (member: Member) => Promise<void>;
  close: () => Promise<void>;
};

export const SANDBOX_SECRET = `whsec_${Buffer.from('a secret of the chaos').toString('base64')}`;
const PROGRAM = join(import.meta.dirname, 'process.ts');

export async function startWorld(isPaid: boolean): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-chaos-'));
  const postgres = await startEmbeddedPostgres(join(folder, 'postgres'), 'only-for-this-run');
  await migrate(postgres.url);
  const bucket = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 'bucket'),
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  const bucketUrl = `http://127.0.0.1:${(await bucket.run()).port}`;
  const provider = await startScriptedProvider();
  const proxies = {
    database: await startProxy(new URL(postgres.url)),
    bucket: await startProxy(new URL(bucketUrl)),
    provider: await startProxy(new URL(provider.url)),
  };
  const startProxyFor = (url: string, proxy: Proxy) => Object.assign(new URL(url), { port: String(proxy.port) }).href;
  const providerUrl = startProxyFor(provider.url, proxies.provider).replace(/\/$/, '');
  const storage = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' };
  const environment: Record<string, string> = {
    ...storage,
    NODE_ENV: 'test',
    // Processes start all the time.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'plinth-chaos-compiled'),
    DATA_DIR: folder,
    DATABASE_URL: startProxyFor(postgres.url, proxies.database),
    S3_ENDPOINT: startProxyFor(bucketUrl, proxies.bucket),
    ...(isPaid
      ? { FAL_KEY: 'key:of-the-chaos', FAL_QUEUE_URL: providerUrl, FAL_REST_URL: providerUrl, FAL_RUN_URL: providerUrl }
      : { ENGINE_URL: providerUrl }),
    // Files are named by the provider's own address, bypassing the proxy.
    RESULT_HOSTS: `${provider.host},${new URL(providerUrl).host}`,
    SANDBOX_WEBHOOK_SECRET: SANDBOX_SECRET,
    AUTH_EMAIL_SIGNUP: 'true',
    FREE_REDOS: '3',
    RETURN_PROVIDER_RESULTS: 'true',
    PROVIDER_POLL_SCALE: isPaid ? '0.02' : '0.2',
    RATE_LIMIT_SCALE: '10000',
    SWEEP_INTERVAL_SECONDS: '2',
  };
  let exitedBefore = '';
  const start = (role: Member['role']) => startProduct({ ...environment, ROLE: role }, PROGRAM);
  const members = await Promise.all(
    (['web', 'web', 'worker', 'worker'] as const).map(async (role): Promise<Member> => ({
      role,
      product: await start(role),
      isChanging: false,
    })),
  );
  const database = openDatabase(postgres.url);
  const config = readConfig({ DATA_DIR: folder, ...storage, S3_ENDPOINT: bucketUrl });
  const library = {
    db: database.db,
    storage: await openStorage(config),
    clock: { now: () => new Date() },
    ttlSeconds: config.MEDIA_TTL_SECONDS,
    maxStorageBytes: undefined,
  };
  return {
    members,
    proxies,
    provider,
    people: [],
    database,
    databaseUrl: postgres.url,
    environment,
    library,
    isPaid,
    written: () => exitedBefore + members.map(({ product }) => product.written()).join(''),
    revive: async (member) => {
      exitedBefore += member.product.written();
      member.product = await start(member.role);
    },
    close: async () => {
      for (const { product } of members) product.child.kill('SIGKILL');
      await database.close();
      for (const proxy of Object.values(proxies)) proxy.close();
      await provider.close();
      await bucket.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export const isDead = ({ product: { child } }: Member) => child.exitCode !== null || child.signalCode !== null;
