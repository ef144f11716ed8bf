import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Facts about a process by its pid, which may be reused. */

/** Program and arguments, separated by spaces; empty or undefined if it is gone. */
export function findCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return runPs(pid);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return undefined;
  }
}

/** As `findCommand`, on systems without /proc. */
export function runPs(pid: number): string | undefined {
  try {
    const options = { encoding: 'utf8', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, stdio: 'pipe' } as const;
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], options).trim();
  } catch {
    return undefined;
  }
}

/** True if a process has this pid. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
