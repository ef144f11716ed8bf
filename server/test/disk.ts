import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of one gigabyte in memory, for filling up. Not mounted without the permission to mount. */
export type Disk = { folder: string; isMounted: boolean };

const mount = (...words: string[]) => spawnSync('mount', words).status === 0;

/** Call in `beforeAll`: a file whose tests are all skipped must mount nothing. */
export function mountDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-disk-'));
  return { folder, isMounted: mount('-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', folder) };
}

/** `size` as mount takes it, `1g` or bytes. Returns whether it worked. */
export const resizeDisk = ({ folder }: Disk, size: string): boolean => mount('-o', `remount,size=${size}`, folder);

export function removeDisk({ folder, isMounted }: Disk): void {
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
}
