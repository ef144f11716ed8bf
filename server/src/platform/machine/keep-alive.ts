import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program is supervised: the signal that ends it, and a second one if it is still there after a while. */
export type KeepAliveOptions = {
  spawn: () => ChildProcess;
  /** Launches it, with retries, and returns the process once it is ready. */
  start: (launch: () => ChildProcess) => Promise<ChildProcess>;
  pauseMs: number;
  signals: [NodeJS.Signals, NodeJS.Signals];
  onExit: (how: string) => void;
  /** Receives the function that ends the program, before the first launch. */
  registerStop?: ((stop: () => Promise<void>) => void) | undefined;
};

/** Starts a program and restarts it when it ends, until the returned function is called. @throws as the first start */
export async function keepAlive(options: KeepAliveOptions): Promise<() => Promise<void>> {
  const { spawn, start, pauseMs, signals, onExit, registerStop } = options;
  let isStopped = false;
  let current: ChildProcess | undefined;
  // However this process ends.
  const killCurrent = () => void current?.kill(signals[1]);
  const launch = (): ChildProcess => {
    if (isStopped) throw new Error('It is not started any more.');
    return (current = spawn());
  };
  const restart = async (): Promise<void> => {
    while (!isStopped) {
      await sleep(pauseMs);
      try {
        return watch(await start(launch));
      } catch (error) {
        if (!isStopped) onExit(String(error));
      }
    }
  };
  function watch(child: ChildProcess): void {
    const handleExit = () => {
      if (isStopped) return;
      onExit(`code ${child.exitCode ?? child.signalCode}`);
      void restart();
    };
    if (hasEnded(child)) handleExit();
    else child.once('exit', handleExit);
  }
  const stop = async (): Promise<void> => {
    isStopped = true;
    if (current !== undefined) await end(current, signals);
    process.off('exit', killCurrent);
  };
  process.on('exit', killCurrent);
  registerStop?.(stop);
  try {
    watch(await start(launch));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const GRACE_MS = 4000;

async function end(child: ChildProcess, [first, last]: KeepAliveOptions['signals']): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const exited = once(child, 'exit').then(() => true);
  child.kill(first);
  if (await Promise.race([exited, sleep(GRACE_MS, false, { ref: false })])) return;
  child.kill(last);
  await exited;
}
