import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One process of the product, started as users start it. */
export type Product = {
  url: string;
  child: ChildProcess;
  /** Everything it wrote to stdout and stderr so far. */
  written: () => string;
  /** Stops it gracefully. */
  stop: () => Promise<void>;
};

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const START_MS = 60_000;

/** Environment of the child process: the path of programs and the compile cache. */
export function startEnvironment(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

/** Starts `program` with only these settings and waits until it listens. */
export async function startProduct(environment: Record<string, string>, program = MAIN): Promise<Product> {
  const child = spawn(process.execPath, [program], {
    cwd: environment.DATA_DIR,
    env: { ...startEnvironment(), PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let written = '';
  child.stderr?.on('data', (chunk: Buffer) => (written += chunk.toString()));
  const port = await new Promise<number>((resolve, reject) => {
    const limit = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not started in ${START_MS} ms: ${written}`));
    }, START_MS);
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      written += `${line}\n`;
      if (!line.startsWith('{"event":"listening"')) return;
      clearTimeout(limit);
      resolve((JSON.parse(line) as { port: number }).port);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      reject(new Error(`ended with ${code ?? signal}: ${written}`));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    written: () => written,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
