// Starts a program again when it dies, so that one fault at night is not the end of the service.
import { spawn } from 'node:child_process';
import { env, root } from './steps.mjs';

/**
 * A program that ends with this code refuses its settings (EX_CONFIG of sysexits.h): starting it again helps nobody.
 */
const REFUSED = 78;
const LONGEST_WAIT_MS = 30_000;
// Whoever lived this long is well: his next death is a new one.
const WELL_MS = 60_000;

/**
 * Runs a program in the foreground until it ends by itself (0), refuses its settings, or is told to stop. Before it has
 * said once that it is ready, any end is final: there is a fault to mend, and its message stands in the terminal.
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
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const startedAt = performance.now();
    // The channel tells the program when this script is gone, however it ended, and this script when it is ready.
    child = spawn(program, parameters, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    child.on('message', (message) => (wasReady ||= message?.event === 'listening'));
    const code = await new Promise((done) => {
      child.once('error', (error) => done((console.error(`${program}: ${error.message}`), 127)));
      child.once('exit', (exitCode, signal) => done(exitCode ?? (signal === 'SIGTERM' ? 143 : 1)));
    });
    if (stopping.signal.aborted || code === 0 || code === REFUSED || !wasReady) return code;
    if (performance.now() - startedAt > WELL_MS) waitMs = firstWaitMs;
    console.error(`Plinth ended with code ${code}. It is started again in ${waitMs / 1000} s.`);
    await new Promise((done) => {
      const timer = setTimeout(done, waitMs);
      stopping.signal.addEventListener('abort', () => (clearTimeout(timer), done()));
    });
    if (stopping.signal.aborted) return code;
  }
}
