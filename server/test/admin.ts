import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { runCommand } from '../src/commands/run-command.ts';
import type { TestApp } from './app.ts';
import { startEnvironment } from './product.ts';

const ADMIN = resolve(import.meta.dirname, '..', 'src', 'commands', 'admin.ts');

export type CommandRun = { code: number | null; out: string; err: string };
type On = Pick<TestApp, 'environment'>;

/**
 * Runs an operator command in this process, beside the app or with other settings; a process of its own takes a second.
 */
export async function runAdmin({ environment }: On, words: string[], settings = {}): Promise<CommandRun> {
  let [out, err] = ['', ''];
  const code = await runCommand(words, {
    environment: { ...environment, ...settings },
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}

/** Runs the command as the process that an operator starts; `start` precedes it on the command line. */
export function startAdmin(
  { environment }: On,
  words: string[],
  [program, ...before]: [string, ...string[]] = [process.execPath],
): Promise<CommandRun> {
  const child = spawn(program, [...before, '--disable-warning=ExperimentalWarning', ADMIN, ...words], {
    env: { ...startEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (err += text.toString()));
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}
