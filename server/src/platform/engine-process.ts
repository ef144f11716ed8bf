import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './embedded-postgres.ts';
import { readEngineModelSettings } from './engine-model.ts';
import type { Log } from './log.ts';

/** The built-in engine as a program of its own: started with the worker, started again when it dies. */
export type EngineProcess = { baseUrl: string; stop: () => Promise<void> };

export type EngineOptions = {
  repositoryDir: string;
  dataDir: string;
  key: string;
  /** The operator's ENGINE_* settings are taken from here. */
  environment: Record<string, string | undefined>;
  log: Log;
};

/** Starts the engine and waits until it serves. */
export async function startEngine(options: EngineOptions): Promise<EngineProcess> {
  // The port stays the same when the engine is started again, so that running generations find it.
  const port = await freePort();
  let stopped = false;
  let hasServed = false; // what cannot start at all would not start a second later either
  let child: ChildProcess;
  const launch = async (): Promise<void> => {
    child = spawnEngine(options, port);
    const launched = child;
    launched.once('exit', (code) => {
      if (stopped || !hasServed) return;
      options.log.error({ code }, 'the engine ended and is started again');
      void relaunch();
    });
    await waitUntilListening(launched);
  };
  const relaunch = async (): Promise<void> => {
    await sleep(1000);
    if (!stopped) await launch().catch((error: unknown) => options.log.error({ err: error }, 'engine'));
  };
  await launch();
  hasServed = true;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      stopped = true;
      await endProcess(child);
    },
  };
}

function spawnEngine(options: EngineOptions, port: number): ChildProcess {
  const env = {
    ...chooseSettings(options),
    ENGINE_HOST: '127.0.0.1',
    ENGINE_PORT: String(port),
    ENGINE_DATA_DIR: join(options.dataDir, 'engine'),
    ENGINE_KEY: options.key,
  };
  const program = join(options.repositoryDir, 'engine', 'src', 'main.ts');
  // Its own process group: Ctrl-C reaches the product alone, which then ends the engine in order.
  const child = spawn(process.execPath, [program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  child.on('error', (error) => options.log.error({ err: error }, 'engine'));
  return child;
}

/** What the operator sets, and the installed matting network unless another one is set. */
function chooseSettings({ environment, dataDir }: EngineOptions): Record<string, string | undefined> {
  const own = Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('ENGINE_')));
  if (own.ENGINE_MATTING_MODEL) return own;
  const installed = readEngineModelSettings(dataDir);
  const megabytes = own.ENGINE_WORKER_MEGABYTES;
  // An operator's ceiling only counts where it is higher: below what was measured, every worker would be killed.
  const isHigher = Number(megabytes) > Number(installed.ENGINE_WORKER_MEGABYTES);
  return { ...own, ...installed, ...(isHigher && { ENGINE_WORKER_MEGABYTES: megabytes }) };
}

async function waitUntilListening(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('the engine has no output');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('"listening"')) resolve();
    });
    child.once('exit', (code) =>
      reject(new Error(`The built-in engine ended with code ${code} while it was starting.`)),
    );
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const ended = await Promise.race([gone.then(() => true), sleep(4000, false, { ref: false })]);
  if (!ended) {
    child.kill('SIGKILL');
    await gone;
  }
}
