import { join } from 'node:path';
import type { BucketSettings } from './bucket-storage.ts';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = { DATA_DIR: string } & { [Name in keyof BucketSettings]?: string | undefined };

/** Of a bucket's settings there are all or none. */
const hasBucket = (settings: StorageSettings): settings is StorageSettings & BucketSettings =>
  settings.S3_BUCKET !== undefined;

/** The bucket where one is set, else files below the data folder. */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  if (!hasBucket(settings)) return openDiskStorage(join(settings.DATA_DIR, 'files'));
  // A tenth of what a process loads: only where there is a bucket.
  const { openBucketStorage } = await import('./bucket-storage.ts');
  return openBucketStorage(settings);
}

/** The stock portraits: a bucket beside the one for media, or a folder. */
export async function openHeadshotModelStorage(
  settings: StorageSettings & { HEADSHOT_MODELS_DIR: string; HEADSHOT_MODELS_BUCKET?: string | undefined },
): Promise<Pick<Storage, 'readWhole'>> {
  const bucket = settings.HEADSHOT_MODELS_BUCKET;
  return bucket === undefined
    ? openDiskStorage(settings.HEADSHOT_MODELS_DIR)
    : openStorage({ ...settings, S3_BUCKET: bucket, S3_PREFIX: undefined });
}
