import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createReadStream, type Dirent } from 'node:fs';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { newToken } from '../ids.ts';

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number };
export type StoredObject = { key: string; bytes: number; changedAt: Date };

/** Private files by key. An object is complete or not there. */
export type Storage = {
  put: (key: string, content: Uint8Array, contentType: string) => Promise<void>;
  /** The bytes, or undefined when there is no such object. */
  read: (key: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** All bytes at once, or undefined when there is no such object. */
  readWhole: (key: string) => Promise<Buffer | undefined>;
  /** Deletes the object; one that is gone already is fine. */
  remove: (key: string) => Promise<void>;
  list: () => AsyncIterable<StoredObject>;
  /** @throws when the storage cannot be used */
  check: () => Promise<void>;
};

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
export function openStorage(settings: StorageSettings): Storage {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings;
  if (!endpoint || !bucket || !accessKeyId || !secretAccessKey)
    return openDiskStorage(join(settings.DATA_DIR, 'files'));
  const { S3_REGION: region = 'auto', S3_PREFIX: prefix = '' } = settings;
  return openS3Storage({ endpoint, bucket, accessKeyId, secretAccessKey, region, prefix });
}

/** The stock portraits: a bucket beside the one for media, or a folder. */
export function openHeadshotModelStorage(
  settings: StorageSettings & { HEADSHOT_MODELS_DIR: string; HEADSHOT_MODELS_BUCKET?: string | undefined },
): Pick<Storage, 'readWhole'> {
  const bucket = settings.HEADSHOT_MODELS_BUCKET;
  return bucket === undefined
    ? openDiskStorage(settings.HEADSHOT_MODELS_DIR)
    : openStorage({ ...settings, S3_BUCKET: bucket, S3_PREFIX: undefined });
}

/** Files below a folder. Written beside their place, flushed, then renamed. */
function openDiskStorage(folder: string): Storage {
  const place = (key: string) => join(folder, ...key.split('/'));
  return {
    put: async (key, content) => {
      const path = place(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const partial = `${path}.${newToken()}.partial`;
      const file = await open(partial, 'wx', 0o600);
      try {
        await file.writeFile(content);
        await file.sync();
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await rename(partial, path);
    },
    read: async (key, range) => {
      const path = place(key);
      const found = await stat(path).catch(() => undefined);
      return found?.isFile() === true ? createReadStream(path, range ?? {}) : undefined;
    },
    readWhole: async (key) =>
      readFile(place(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
        throw error;
      }),
    remove: async (key) => {
      await unlink(place(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
    list: () => listFolder(folder),
    check: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.W_OK);
    },
  };
}

async function* listFolder(folder: string): AsyncIterable<StoredObject> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) continue;
    yield { key: relative(folder, path).split(sep).join('/'), bytes: found.size, changedAt: found.mtime };
  }
}

/** The storage cannot be reached, says nothing, or has a fault of its own: the caller may try again later. */
export class StorageAwayError extends Error {
  constructor(cause: unknown) {
    super('the storage is away', { cause });
  }
}

const CONNECT_MS = 3000;
/** How long one question to the bucket may take, all tries of its client together, up to the head of the answer. */
const BUCKET_MS = 30_000;

async function inTime<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), BUCKET_MS);
  try {
    return await ask(limit.signal);
  } catch (error) {
    // What the bucket itself refused is no outage: a missing object, a wrong key.
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status !== undefined && status < 500 && status !== 429) throw error;
    throw new StorageAwayError(error);
  } finally {
    clearTimeout(timer);
  }
}

type S3Settings = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** Stands before every key; '' or ending with a slash. */
  prefix: string;
};

/** Objects in a bucket of an S3-compatible storage. */
function openS3Storage(settings: S3Settings): Storage {
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    // Other storages than Amazon's store the trailing checksum of a streamed body as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The second limit is for a body that stops in the middle.
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: BUCKET_MS },
  });
  const { bucket: Bucket, prefix } = settings;
  const read: Storage['read'] = async (key, range) => {
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
    try {
      const get = new GetObjectCommand({ Bucket, Key: `${prefix}${key}`, ...(Range && { Range }) });
      const found = await inTime((abortSignal) => client.send(get, { abortSignal }));
      return found.Body instanceof Readable ? found.Body : undefined;
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  };
  return {
    read,
    readWhole: async (key) => {
      const stream = await read(key);
      return stream && buffer(stream);
    },
    put: async (key, content, contentType) => {
      const put = new PutObjectCommand({
        Bucket,
        Key: `${prefix}${key}`,
        Body: content,
        ContentType: contentType,
        ContentLength: content.byteLength,
      });
      await inTime((abortSignal) => client.send(put, { abortSignal }));
    },
    remove: async (key) => {
      await inTime((abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${key}` }), { abortSignal }),
      );
    },
    list: () => listBucket(client, Bucket, prefix),
    check: async () => {
      await inTime((abortSignal) => client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
    },
  };
}

async function* listBucket(client: S3Client, Bucket: string, Prefix: string): AsyncIterable<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const list = new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) });
    const page = await inTime((abortSignal) => client.send(list, { abortSignal }));
    for (const object of page.Contents ?? []) {
      if (object.Key === undefined) continue;
      yield {
        key: object.Key.slice(Prefix.length),
        bytes: object.Size ?? 0,
        changedAt: object.LastModified ?? new Date(0),
      };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}
