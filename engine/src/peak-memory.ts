import { readFileSync, writeFileSync } from 'node:fs';

const RESET_PEAK = '5'; // of /proc/self/clear_refs: see proc(5)

/** Begins to measure anew where the system can (Linux); elsewhere the peak stays that of the whole process. */
export function forgetPeakMemory(): void {
  try {
    writeFileSync('/proc/self/clear_refs', RESET_PEAK);
  } catch {
    // Another system: peakMemory says the peak of the whole process.
  }
}

/**
 * The most resident memory in bytes since `forgetPeakMemory`, or since the program began; Node's own figure begins with
 * that of the process which started it.
 */
export function peakMemory(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // No such file on another system.
  }
  return process.resourceUsage().maxRSS * 1024;
}
