import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program is supervised: the signal that ends it, and a second one if it is still there after a while. */
export type Keeping = {
  spawn: () => ChildProcess;
  /** Launches it, with retries, and returns the process once it is ready. */
  start: (launch: () => ChildProcess) => Promise<ChildProcess>;
  pauseMs: number;
  signals: [NodeJS.Signals, NodeJS.Signals];
  handleDeath: (how: string) => void;
  /** Receives the function that ends the program, before the first launch. */
  hold?: ((stop: () => Promise<void>) => void) | undefined;
};

/** Starts a program and restarts it when it ends, until the returned function is called. @throws as the first start */
export async function keepAlive(keeping: Keeping): Promise<() => Promise<void>> {
  const { spawn, start, pauseMs, signals, handleDeath, hold } = keeping;
  let isStopped = false;
  let newest: ChildProcess | undefined;
  // However this process ends.
  const killNewest = () => void newest?.kill(signals[1]);
  const launch = (): ChildProcess => {
    if (isStopped) throw new Error('It is not started any more.');
    return (newest = spawn());
  };
  const restart = async (): Promise<void> => {
    while (!isStopped) {
      await sleep(pauseMs);
      try {
        return watch(await start(launch));
      } catch (error) {
        if (!isStopped) handleDeath(String(error));
      }
    }
  };
  function watch(child: ChildProcess): void {
    const handleExit = () => {
      if (isStopped) return;
      handleDeath(`code ${child.exitCode ?? child.signalCode}`);
      void restart();
    };
    if (hasEnded(child)) handleExit();
    else child.once('exit', handleExit);
  }
  const stop = async (): Promise<void> => {
    isStopped = true;
    if (newest !== undefined) await end(newest, signals);
    process.off('exit', killNewest);
  };
  process.on('exit', killNewest);
  hold?.(stop);
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

async function end(child: ChildProcess, [first, last]: Keeping['signals']): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const gone = once(child, 'exit').then(() => true);
  child.kill(first);
  if (await Promise.race([gone, sleep(GRACE_MS, false, { ref: false })])) return;
  child.kill(last);
  await gone;
}
