import { readFileSync } from 'node:fs';

/** The resources that a process uses. */
export type ProcessUse = {
  /** Resident memory. */
  rssBytes: number;
  /** CPU time of all its threads. */
  cpuMs: number;
};

const TICK_MS = 10; // Linux always counts in 1/100 s (proc_pid_stat(5), USER_HZ)

/** Reads it from /proc, so that a busy process need not answer; undefined on other systems and for ended processes. */
export function readProcessUse(pid: number | undefined): ProcessUse | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // the name before it may contain spaces; proc_pid_stat(5) counts fields from 1
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // in kB, independent of the page size
    const rssBytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
    const cpuMs = (Number(fields[14 - 3]) + Number(fields[15 - 3])) * TICK_MS;
    return Number.isFinite(rssBytes) && Number.isFinite(cpuMs) ? { rssBytes, cpuMs } : undefined;
  } catch {
    return undefined;
  }
}
