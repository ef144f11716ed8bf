import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Facts about a process by its pid, which may be reused: from /proc, else by `ps`. */

const HAS_PROC = process.platform === 'linux';

/** Start time, to distinguish processes with the same pid; undefined if it is gone or unknown. */
export function findStartTime(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  // After the name, whose brackets may contain anything.
  const fields = stat?.split(') ').at(-1)?.split(' ') ?? [];
  if (stat !== undefined) return fields[0] === 'Z' ? undefined : fields[19];
  return HAS_PROC ? undefined : runPs(pid, 'lstart=');
}

/** Program and arguments, separated by spaces; undefined if it is gone or unknown. */
export function findCommand(pid: number): string | undefined {
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? (HAS_PROC ? undefined : runPs(pid, 'command='));
}

/** True if a process has this pid. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** A column of `ps` for a pid; undefined if the process is gone. */
export function runPs(pid: number, column: 'lstart=' | 'command='): string | undefined {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
    const output = execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
