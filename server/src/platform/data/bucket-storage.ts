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
import { type Storage, StorageRefusedError, StorageUnavailableError } from './storage.ts';

const CONNECT_MS = 3000;
/** Time limit of a request to the bucket, including the client's retries, until the response headers arrive. */
const BUCKET_MS = 30_000;
/** What is sent before that gets time at this rate, 4 Mbit/s. */
const SLOWEST_BYTES_PER_MS = 500;

/** The operator's settings. */
export type BucketSettings = {
  S3_ENDPOINT: string;
  S3_BUCKET: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  S3_REGION?: string | undefined;
  /** Prefix of every key; ends with a slash. */
  S3_PREFIX?: string | undefined;
};

/** Storage in an S3-compatible bucket. @param limitMs until the response headers; bodies may take longer */
export function openBucketStorage(settings: BucketSettings, limitMs = BUCKET_MS): Storage {
  const { S3_BUCKET: Bucket, S3_PREFIX: Prefix = '', S3_REGION: region = 'auto' } = settings;
  const client = new S3Client({
    endpoint: settings.S3_ENDPOINT,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
    // Some S3-compatible storages store the trailing checksum of a streamed body as part of the file.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The second limit aborts a body that stalls.
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: BUCKET_MS },
  });
  const withTimeout = <Result>(call: BucketCall<Result>, sentBytes = 0) =>
    callWithTimeout(limitMs + sentBytes / SLOWEST_BYTES_PER_MS, call);
  const toObject = (key: string) => ({ Bucket, Key: `${Prefix}${key}` });
  const read: Storage['read'] = async (key, range) => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    try {
      const found = await withTimeout((limits) =>
        client.send(new GetObjectCommand({ ...toObject(key), Range }), limits),
      );
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
      return stream && (await buffer(stream).catch(throwUnavailable));
    },
    put: async (key, content, contentType) => {
      const file = { Body: content, ContentType: contentType, ContentLength: content.byteLength };
      const command = new PutObjectCommand({ ...toObject(key), ...file });
      await withTimeout((limits) => client.send(command, limits), content.byteLength);
    },
    remove: async (key) => {
      await withTimeout((limits) => client.send(new DeleteObjectCommand(toObject(key)), limits)).catch(ignoreMissing);
    },
    list: async function* () {
      let ContinuationToken: string | undefined;
      do {
        const list = new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const page = await withTimeout((limits) => client.send(list, limits));
        for (const { Key, LastModified = new Date(0) } of page.Contents ?? [])
          if (Key !== undefined) yield { key: Key.slice(Prefix.length), changedAt: LastModified };
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    check: async () => {
      await withTimeout((limits) => client.send(new HeadBucketCommand({ Bucket }), limits));
    },
  };
}

const REFUSALS = new Set(['NoSuchBucket', 'AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch']);

type BucketCall<Result> = (limits: { abortSignal: AbortSignal }) => Promise<Result>;

async function callWithTimeout<Result>(limitMs: number, call: BucketCall<Result>): Promise<Result> {
  // AbortSignal.timeout would also abort a body that is still being read after the limit.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await call({ abortSignal: limit.signal });
  } catch (error) {
    // A rejection by the bucket, such as a missing object or a wrong key, is not an outage.
    if (!(error instanceof S3ServiceException)) return throwUnavailable(error);
    const { httpStatusCode: status = 500 } = error.$metadata;
    if (status >= 500 || status === 429) return throwUnavailable(error);
    throw REFUSALS.has(error.name) ? new StorageRefusedError(`${error.name} (${status})`, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Some storages report an object that is gone already as an error. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof S3ServiceException && error.name === 'NoSuchKey')) throw error;
}

function throwUnavailable(cause: unknown): never {
  throw new StorageUnavailableError(cause);
}
