import { readFileSync } from 'node:fs';

/** Memory of a process, from Linux's /proc. */

/** Returns the resident bytes; 0 if the process has ended. */
export function measureResident(pid: number | string): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Runs `work` and returns the process's initial, maximum and final resident memory, in megabytes (10^6 bytes). */
export async function watchMemory<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; firstMb: number; maxMb: number; lastMb: number }> {
  const first = measureResident(pid);
  let most = first;
  const timer = setInterval(() => (most = Math.max(most, measureResident(pid))), 50);
  try {
    const result = await work();
    const last = measureResident(pid);
    return { result, firstMb: toMb(first), maxMb: toMb(Math.max(most, last)), lastMb: toMb(last) };
  } finally {
    clearInterval(timer);
  }
}

const toMb = (bytes: number) => Math.round(bytes / 1e6);
