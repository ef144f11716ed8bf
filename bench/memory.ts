import { readFileSync } from 'node:fs';

/** What a process holds in memory, as Linux counts it. */

/** Resident bytes; 0 when the process is gone. */
export function measureResident(pid: number | string): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Runs `work` and says how much the process held at first, at most and at the end, in megabytes. */
export async function watchMemory<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ result: Result; firstMb: number; mostMb: number; lastMb: number }> {
  const first = measureResident(pid);
  let most = first;
  const timer = setInterval(() => (most = Math.max(most, measureResident(pid))), 50);
  try {
    const result = await work();
    const last = measureResident(pid);
    return { result, firstMb: toMb(first), mostMb: toMb(Math.max(most, last)), lastMb: toMb(last) };
  } finally {
    clearInterval(timer);
  }
}

const toMb = (bytes: number) => Math.round(bytes / 1e6);
