import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';

const REPOSITORY = resolve(import.meta.dirname, '..', '..');
const NODE = join(REPOSITORY, 'node_modules', '.bin', 'node');
const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 12_000;
const SAMPLE_SIDE_PX = 600;

const RESULTS = join(REPOSITORY, 'e2e', 'test-results');

/** Starts the product that the journeys share. Resolves with a function that stops it. */
export default async function startForAll(): Promise<() => Promise<void>> {
  await run(NODE, ['scripts/build.mjs', '--if-stale']);
  const pagesDir = join(RESULTS, 'pages');
  await rm(pagesDir, { recursive: true, force: true });
  await cp(join(REPOSITORY, 'web', 'dist'), pagesDir, { recursive: true });
  return startProduct(pagesDir);
}

/**
 * Builds and starts a second product with a pseudo-language, whose sentences are in ⟦brackets⟧. Until it is stopped,
 * this process uses it. Resolves with a function that stops it.
 */
export async function startPseudoLanguage(): Promise<() => Promise<void>> {
  const { PLINTH_URL, PLINTH_DATA_DIR } = process.env;
  const pagesDir = join(RESULTS, 'pages-in-brackets');
  await run(NODE, ['scripts/pseudo-language.mjs', pagesDir]);
  const end = await startProduct(pagesDir);
  return async () => {
    Object.assign(process.env, { PLINTH_URL, PLINTH_DATA_DIR });
    await end();
  };
}

/** Starts a product with its defaults: built-in engine, embedded Postgres, no keys, and its own data folder. */
async function startProduct(pagesDir: string): Promise<() => Promise<void>> {
  await shrinkSamples(join(pagesDir, 'samples'));
  const dataDir = await mkdtemp(join(tmpdir(), 'plinth-e2e-'));
  const product = spawn(NODE, ['--disable-warning=ExperimentalWarning', 'server/src/main.ts'], {
    cwd: REPOSITORY,
    env: {
      ...process.env,
      ...{ DATA_DIR: dataDir, PAGES_DIR: pagesDir, PORT: '0', AUTH_EMAIL_SIGNUP: 'true', SIGNUP_CREDITS: '0' },
      LOG_LEVEL: 'warn', // A line per request would hide failures.
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await readPort(product);
  // The test processes inherit these.
  process.env['PLINTH_URL'] = `http://localhost:${port}`;
  process.env['PLINTH_DATA_DIR'] = dataDir;
  const tell = (exitCode: number | null, signal: string | null) =>
    process.stderr.write(`The product ended under the tests (${exitCode ?? signal}).\n`);
  product.once('exit', tell);
  return async () => {
    product.off('exit', tell);
    await stop(product);
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** Shrinks the samples, which halves the engine's time for them. */
async function shrinkSamples(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.jpg'))) {
    const path = join(folder, name);
    const photo = await readFile(path);
    const { width, height } = await sharp(photo).metadata();
    if (Math.max(width, height) <= SAMPLE_SIDE_PX) continue;
    await writeFile(path, await sharp(photo).resize(SAMPLE_SIDE_PX, SAMPLE_SIDE_PX, { fit: 'inside' }).toBuffer());
  }
}

async function readPort(product: ChildProcess): Promise<number> {
  const limit = setTimeout(() => product.kill('SIGKILL'), START_LIMIT_MS);
  const port = await new Promise<number>((found) => {
    // Reading continues after this line, because a full pipe would block the product.
    createInterface({ input: product.stdout! }).on('line', (line) => {
      const said = /^\{"event":"listening","port":(\d+)\}$/.exec(line)?.[1];
      if (said !== undefined) found(Number(said));
    });
    product.once('exit', () => found(0));
  });
  clearTimeout(limit);
  if (port === 0) throw new Error('The product ended, or took too long, before it was ready.');
  return port;
}

async function stop(product: ChildProcess): Promise<void> {
  if (product.exitCode !== null) return;
  const gone = new Promise((done) => product.once('exit', done));
  const limit = setTimeout(() => product.kill('SIGKILL'), STOP_LIMIT_MS);
  product.kill('SIGTERM');
  await gone;
  clearTimeout(limit);
}

/** Runs a command in the repository and returns its output. @throws Error if it fails */
export async function run(command: string, args: string[], extraEnv: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    env: { ...process.env, ...extraEnv },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = await new Promise((done) => child.once('close', done));
  if (exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${String(exitCode)}: ${output}`);
  return output;
}
