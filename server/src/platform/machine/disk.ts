import { statfs } from 'node:fs/promises';
import type { ErrorCode } from '@plinth/contract/errors';

const MEGABYTE = 1_000_000;
const MIN_FREE = { bytes: 500 * MEGABYTE, share: 0.05, mostBytes: 5000 * MEGABYTE };

/** Free bytes below which a disk counts as full: 5 % of it, at least 500 MB and at most 5 GB. */
export function minFreeBytes(diskBytes: number): number {
  return Math.max(MIN_FREE.bytes, Math.min(MIN_FREE.share * diskBytes, MIN_FREE.mostBytes));
}

/** Checks free space. @throws if the disk below the folder is nearly full */
export async function checkFreeSpace(folder: string): Promise<void> {
  const { bsize, blocks, bavail } = await statfs(folder);
  if (bavail * bsize < minFreeBytes(blocks * bsize)) throw new Error('the disk is nearly full');
}

/** Codes for exhausted resources. The fourth is Postgres' code for a full disk. */
const SHORTAGES: Record<string, ErrorCode> = {
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
  EMFILE: 'temporarily_unavailable',
  ENFILE: 'temporarily_unavailable',
  53100: 'storage_full',
};

/** The code for an error caused by a lack of disk space or file descriptors. */
export function findShortage(error: unknown): ErrorCode | undefined {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? SHORTAGES[code] : undefined;
}
