import { join } from 'node:path';
import { openDiskStorage } from './disk-storage.ts';
import type { Storage } from './storage.ts';

export type StorageSettings = {
  DATA_DIR: string;
  S3_ENDPOINT?: string | undefined;
  S3_BUCKET?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
  S3_REGION?: string | undefined;
  S3_PREFIX?: string | undefined;
};

/** The bucket where one is set, else files below the data folder. */
export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey)
    return openDiskStorage(join(settings.DATA_DIR, 'files'));
  const { S3_REGION: region = 'auto', S3_PREFIX: prefix = '' } = settings;
  // A tenth of what a process loads: only where there is a bucket.
  const { openBucketStorage } = await import('./bucket-storage.ts');
  return openBucketStorage({ endpoint, bucket, accessKeyId, secretAccessKey, region, prefix });
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
