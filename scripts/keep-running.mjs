// Restarts a program after a crash, so that one fault at night does not end the service.
import { spawn } from 'node:child_process';
import { env, root } from './steps.mjs';

/**
 * Exit code for invalid settings (EX_CONFIG of sysexits.h). A restart would not help.
 */
const INVALID_SETTINGS = 78;
const MAX_WAIT_MS = 30_000;
// A program that ran this long is healthy. Its next crash starts with the shortest wait again.
const HEALTHY_MS = 60_000;

/**
 * Runs a program in the foreground and restarts it until it exits with 0, rejects its settings, or receives SIGTERM or
 * SIGINT. Returns its exit code. An exit before the first readiness message is final: its error is in the terminal.
 */
export async function keepRunning(program, parameters, firstWaitMs = 1000) {
  const stopping = new AbortController();
  let child;
  let wasReady = false;
  const stop = (signal) => {
    stopping.abort();
    child?.kill(signal);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
    const startedAt = performance.now();
    // By the IPC channel the program detects the end of this script, and this script the program's readiness.
    child = spawn(program, parameters, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    child.on('message', (message) => (wasReady ||= message?.event === 'listening'));
    const code = await new Promise((done) => {
      child.once('error', (error) => done((console.error(`${program}: ${error.message}`), 127)));
      child.once('exit', (exitCode, signal) => done(exitCode ?? (signal === 'SIGTERM' ? 143 : 1)));
    });
    if (stopping.signal.aborted || code === 0 || code === INVALID_SETTINGS || !wasReady) return code;
    if (performance.now() - startedAt > HEALTHY_MS) waitMs = firstWaitMs;
    console.error(`Plinth ended with code ${code}. It is started again in ${waitMs / 1000} s.`);
    await new Promise((done) => {
      const timer = setTimeout(done, waitMs);
      stopping.signal.addEventListener('abort', () => (clearTimeout(timer), done()));
    });
    if (stopping.signal.aborted) return code;
  }
}
