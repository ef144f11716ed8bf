import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program is kept, and what ends it: the first signal, and the second where it is still there after a while. */
export type Keeping = {
  start: () => Promise<ChildProcess>;
  pauseMs: number;
  signals: [NodeJS.Signals, NodeJS.Signals];
  handleDeath: (how: string) => void;
};

/** Starts a program and, until the answer is called, starts it again when it ends. @throws what the first start does */
export async function keepAlive({ start, pauseMs, signals, handleDeath }: Keeping): Promise<() => Promise<void>> {
  let isStopped = false;
  let starting = start().then(watch);
  const restart = async (): Promise<ChildProcess> => {
    for (;;) {
      await sleep(pauseMs);
      try {
        return watch(await start());
      } catch (error) {
        handleDeath(String(error));
        if (isStopped) throw error;
      }
    }
  };
  function watch(child: ChildProcess): ChildProcess {
    const handleExit = () => {
      if (isStopped) return;
      handleDeath(`code ${child.exitCode ?? child.signalCode}`);
      starting = restart();
    };
    if (hasEnded(child)) handleExit();
    else child.once('exit', handleExit);
    return child;
  }
  await starting;
  return async () => {
    isStopped = true;
    await starting.then(
      (child) => end(child, signals),
      () => undefined,
    );
  };
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const GRACE_MS = 4000;

async function end(child: ChildProcess, [first, last]: Keeping['signals']): Promise<void> {
  if (hasEnded(child)) return;
  const gone = once(child, 'exit').then(() => true);
  child.kill(first);
  if (await Promise.race([gone, sleep(GRACE_MS, false, { ref: false })])) return;
  child.kill(last);
  await gone;
}
