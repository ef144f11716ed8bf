import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Checkpoint } from '../src/generations/run.ts';
import type { TestApp } from './app.ts';

/** Starts a worker process on the app's data and kills it once all of these generations, by id, are at their step. */
export async function killWorkerAt(
  app: TestApp,
  steps: ReadonlyMap<string, Checkpoint>,
  environment: Record<string, string> = {},
): Promise<void> {
  const doomed = spawn(process.execPath, [join(import.meta.dirname, 'crash-worker.ts')], {
    env: {
      ...process.env,
      ...app.environment,
      ...environment,
      CRASH_AT: JSON.stringify(Object.fromEntries(steps)),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [, signal] = await once(doomed, 'exit');
  expect(signal).toBe('SIGKILL');
}
