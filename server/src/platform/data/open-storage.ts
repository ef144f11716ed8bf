import { join } from 'node:path';
import type { BucketSettings } from './bucket-storage.ts';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

type StorageSettings = { DATA_DIR: string } & { [Name in keyof BucketSettings]?: string | undefined };

/** A bucket's settings are given completely or not at all. */
const hasBucket = (settings: StorageSettings): settings is StorageSettings & BucketSettings =>
  settings.S3_BUCKET !== undefined;

/** The configured bucket, else files below the data folder. */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  if (!hasBucket(settings)) return openDiskStorage(join(settings.DATA_DIR, 'files'));
  // A tenth of the loaded code, so it is imported only with a bucket.
  const { openBucketStorage } = await import('./bucket-storage.ts');
  return openBucketStorage(settings);
}

/** The stock portraits: in a bucket of their own, or in a folder. */
export async function openHeadshotModelStorage(
  settings: StorageSettings & { HEADSHOT_MODELS_DIR: string; HEADSHOT_MODELS_BUCKET?: string | undefined },
): Promise<Pick<Storage, 'readWhole'>> {
  const bucket = settings.HEADSHOT_MODELS_BUCKET;
  return bucket === undefined
    ? openDiskStorage(settings.HEADSHOT_MODELS_DIR)
    : openStorage({ ...settings, S3_BUCKET: bucket, S3_PREFIX: undefined });
}
