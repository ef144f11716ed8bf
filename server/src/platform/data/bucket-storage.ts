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
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Storage, StorageAwayError, type StoredObject } from './storage.ts';

const CONNECT_MS = 3000;
/** How long one question to the bucket may take, all tries of its client together, up to the head of the answer. */
const BUCKET_MS = 30_000;

async function inTime<Result>(limitMs: number, ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  // Not AbortSignal.timeout: the body that is still read when the limit has passed would be cut.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
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

/** Some storages do not find what is gone already. */
function unlessGone(error: unknown): void {
  if (!(error instanceof S3ServiceException && error.name === 'NoSuchKey')) throw error;
}

function sayAway(cause: unknown): never {
  throw new StorageAwayError(cause);
}

type BucketSettings = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  /** Stands before every key; '' or ending with a slash. */
  prefix: string;
};

/** Objects in an S3-compatible bucket. @param limitMs for the head of an answer; its body may take longer */
export function openBucketStorage(settings: BucketSettings, limitMs = BUCKET_MS): Storage {
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
      const found = await inTime(limitMs, (abortSignal) => client.send(get, { abortSignal }));
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
      return stream && (await buffer(stream).catch(sayAway));
    },
    put: async (key, content, contentType) => {
      const put = new PutObjectCommand({
        Bucket,
        Key: `${prefix}${key}`,
        Body: content,
        ContentType: contentType,
        ContentLength: content.byteLength,
      });
      await inTime(limitMs, (abortSignal) => client.send(put, { abortSignal }));
    },
    remove: async (key) => {
      await inTime(limitMs, (abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket, Key: `${prefix}${key}` }), { abortSignal }),
      ).catch(unlessGone);
    },
    list: () => listBucket(client, Bucket, prefix, limitMs),
    check: async () => {
      await inTime(limitMs, (abortSignal) => client.send(new HeadBucketCommand({ Bucket }), { abortSignal }));
    },
  };
}

async function* listBucket(
  client: S3Client,
  Bucket: string,
  Prefix: string,
  limitMs: number,
): AsyncIterable<StoredObject> {
  let ContinuationToken: string | undefined;
  do {
    const list = new ListObjectsV2Command({ Bucket, Prefix, ...(ContinuationToken && { ContinuationToken }) });
    const page = await inTime(limitMs, (abortSignal) => client.send(list, { abortSignal }));
    for (const object of page.Contents ?? []) {
      if (object.Key === undefined) continue;
      yield { key: object.Key.slice(Prefix.length), changedAt: object.LastModified ?? new Date(0) };
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
}
