import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { TestApp } from './app.ts';
import { startEnvironment } from './product.ts';

const ADMIN = resolve(import.meta.dirname, '..', 'src', 'commands', 'admin.ts');

export type CommandRun = { code: number | null; out: string; err: string };

/** Runs an operator command as a process of its own, beside the app or with other settings. */
export function runAdmin(
  app: Pick<TestApp, 'environment'>,
  words: string[],
  settings: Record<string, string> = {},
  start: [string, ...string[]] = [process.execPath],
): Promise<CommandRun> {
  const [program, ...before] = start;
  const child = spawn(program, [...before, '--disable-warning=ExperimentalWarning', ADMIN, ...words], {
    env: { ...startEnvironment(), ...app.environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}
