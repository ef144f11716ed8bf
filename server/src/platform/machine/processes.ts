import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What the system says of a process by its number, which is soon somebody else's: with /proc, else by `ps`. */

const HAS_PROC = process.platform === 'linux';

/** When it started, to tell it from a later one with the same number; undefined where it is gone, or nobody says. */
export function findStartTime(pid: number): string | undefined {
  const stat = readProc(pid, 'stat');
  // Behind the name, which may hold anything in its brackets.
  const fields = stat?.split(') ').at(-1)?.split(' ') ?? [];
  if (stat !== undefined) return fields[0] === 'Z' ? undefined : fields[19];
  return HAS_PROC ? undefined : askPs(pid, 'lstart=');
}

/** Its program and arguments, parted by spaces; undefined where it is gone, or nobody says. */
export function findCommand(pid: number): string | undefined {
  return readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? (HAS_PROC ? undefined : askPs(pid, 'command='));
}

/** Whether anybody has this number. */
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

/** What `ps` says of it in one column; undefined where it is gone. */
export function askPs(pid: number, column: 'lstart=' | 'command='): string | undefined {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
    const said = execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8', env, stdio: 'pipe' });
    return said.trim() || undefined;
  } catch {
    return undefined;
  }
}
