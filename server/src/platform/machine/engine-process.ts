import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEnded, keepAlive, type KeepAliveOptions } from './keep-alive.ts';
import { freePort } from './ports.ts';
import { tmpFolder } from './tmp-folder.ts';
import { ExpectedError } from '../errors.ts';
import type { Log } from '../log.ts';

/** The built-in engine as a child process: started with the worker, restarted when it dies. */
export type EngineProcess = Awaited<ReturnType<typeof startEngine>>;

export type EngineOptions = {
  repositoryDir: string;
  dataDir: string;
  key: string;
  /** Source of the operator's ENGINE_* settings. */
  environment: Record<string, string | undefined>;
  log: Log;
  /** Interval and timeout of heartbeats. */
  heartbeatMs?: number;
  /** Time limit of its start. */
  startMs?: number;
  registerStop?: KeepAliveOptions['registerStop'];
};

const HEARTBEAT_MS = 5000;
const START_MS = 60_000;
/** Missed heartbeats in a row after which it is killed and restarted. */
const MAX_MISSED = 3;
/** The engine's exit code for invalid settings, which it names on standard error. */
const INVALID_SETTINGS = 2;

/** Starts the engine and waits until it is ready. */
export async function startEngine(options: EngineOptions) {
  if (existsSync(join(options.dataDir, 'engine-model.json')))
    options.log.warn({ event: 'operators_network' }, 'a network of an earlier version is not used: install it again');
  // The port stays the same after a restart, so that running generations find the engine.
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  let stopped = false;
  let missed = 0;
  let serving: ChildProcess | undefined; // the process that reported that it listens
  const stop = await keepAlive({
    spawn: () => spawnEngine(options, port),
    start: async (launch) => {
      const launched = launch();
      await waitUntilListening(launched, options.startMs ?? START_MS);
      missed = 0;
      return (serving = launched);
    },
    pauseMs: 1000,
    signals: ['SIGTERM', 'SIGKILL'],
    onExit: (how) => options.log.error({ how }, 'the engine ended and is started again'),
    registerStop: options.registerStop,
  });
  const heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
  const watch = async (): Promise<void> => {
    while (!stopped) {
      await sleep(heartbeatMs, undefined, { ref: false });
      const watched = serving;
      const isHealthy = await isAlive(baseUrl, heartbeatMs);
      if (watched === undefined || watched !== serving || hasEnded(watched)) continue;
      missed = isHealthy ? 0 : missed + 1;
      if (stopped || missed < MAX_MISSED) continue;
      options.log.error({ missed }, 'the engine hangs and is killed');
      killGroup(watched);
    }
  };
  void watch();
  return {
    baseUrl,
    pid: () => serving?.pid,
    /** False from the first missed heartbeat until it answers again. */
    isUp: () => missed === 0 && serving !== undefined && !hasEnded(serving),
    stop: async (): Promise<void> => {
      stopped = true;
      await stop();
    },
  };
}

async function isAlive(baseUrl: string, timeoutMs: number): Promise<boolean> {
  try {
    return (await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false; // Refuses connections while it starts, is silent while it hangs.
  }
}

/** Kills it together with its workers, which share its process group. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function spawnEngine(options: EngineOptions, port: number): ChildProcess {
  const card = modelCard(options.dataDir);
  const env = {
    ...readEngineSettings(options.environment),
    ENGINE_HOST: '127.0.0.1',
    ENGINE_PORT: String(port),
    ENGINE_DATA_DIR: tmpFolder(options.dataDir),
    ENGINE_KEY: options.key,
    ENGINE_CUTOUT_CARD: existsSync(card) ? card : undefined,
  };
  const program = join(options.repositoryDir, 'engine', 'src', 'main.ts');
  // Its own process group, so that Ctrl-C reaches only the product, which ends the engine in order.
  const child = spawn(process.execPath, [program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  child.on('error', (error) => options.log.error({ err: error }, 'engine'));
  return child;
}

/** The operator's settings for the engine. */
export const readEngineSettings = (environment: EngineOptions['environment']): EngineOptions['environment'] =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('ENGINE_')));

/** Path of the operator's network card; the network is installed if it exists, with its file beside it. */
export const modelCard = (dataDir: string): string => join(dataDir, 'models', 'card.json');

async function waitUntilListening(child: ChildProcess, startMs: number): Promise<void> {
  if (child.stdout === null) throw new Error('the engine has no output');
  const lines = createInterface({ input: child.stdout });
  let limit: NodeJS.Timeout | undefined;
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('"listening"')) resolve();
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(
        code === INVALID_SETTINGS
          ? new ExpectedError('The built-in engine does not start with these settings.')
          : new Error(`The built-in engine ended with code ${code} while it was starting.`),
      ),
    );
    limit = setTimeout(() => {
      reject(new Error(`The built-in engine does not serve after ${startMs / 1000} seconds.`));
      killGroup(child);
    }, startMs);
  }).finally(() => clearTimeout(limit));
}
