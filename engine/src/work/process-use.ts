import { readFileSync } from 'node:fs';

/** What a process takes of the machine. */
export type ProcessUse = {
  /** Resident memory. */
  rssBytes: number;
  /** Processor time of all its threads. */
  cpuMs: number;
};

const TICK_MS = 10; // Linux counts in hundredths of a second, whatever its own clock does (proc_pid_stat(5), USER_HZ)

/**
 * As Linux tells it, without asking a process that may be busy; undefined on other systems and for one that has just
 * gone.
 */
export function readProcessUse(pid: number | undefined): ProcessUse | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name before may hold spaces; proc_pid_stat(5) counts from 1
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // in kB, however large the system's pages are
    const rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
    const cpuMs = (Number(fields[14 - 3]) + Number(fields[15 - 3])) * TICK_MS;
    return Number.isFinite(rssBytes) && Number.isFinite(cpuMs) ? { rssBytes, cpuMs } : undefined;
  } catch {
    return undefined;
  }
}
