import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';

/** Fetches one large file so that a cut connection, or a second call after a crash, goes on where it stopped. */

export class DownloadError extends Error {
  /** What is there already is of use to a later call. */
  readonly mayGoOn: boolean;

  constructor(message: string, mayGoOn = false) {
    super(message);
    this.mayGoOn = mayGoOn;
  }
}

export type DownloadOptions = {
  url: string;
  /** Where the bytes go; `<path>.json` beside it remembers which version of the file they are of. */
  path: string;
  maxBytes: number;
  tell: (progress: { bytes: number; totalBytes: number | undefined }) => void;
  pauseMs?: number;
};

const TRIES = 5;
const REDIRECTS = 5;
const SILENT_MS = 60_000;

/** @throws DownloadError with a sentence for the operator */
export async function download(options: DownloadOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const fault = await fetchRest(options);
    if (fault === undefined) {
      await rm(`${options.path}.json`, { force: true });
      return;
    }
    if (attempt === TRIES) throw new DownloadError(`${fault} Run the command again to go on where it stopped.`, true);
    await sleep((options.pauseMs ?? 1000) * 2 ** (attempt - 1));
  }
}

/** One attempt at what is missing; returns what interrupted it. */
async function fetchRest(options: DownloadOptions): Promise<string | undefined> {
  const held = await findHeld(options.path);
  let response: Response;
  try {
    response = await follow(options.url, held);
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    return `The server could not be reached (${describe(error)}).`;
  }
  if (response.status === 416) {
    await response.body?.cancel();
    await rm(options.path, { force: true });
    return 'The file has changed on the server.';
  }
  if (response.status === 429 || response.status >= 500) {
    await response.body?.cancel();
    return `The server answered ${response.status}.`;
  }
  return receive(options, response, response.status === 206 ? held.bytes : 0);
}

type Held = { bytes: number; version: string | undefined };

/** Bytes of an earlier attempt count only with the tag of the version that they are of. */
async function findHeld(path: string): Promise<Held> {
  try {
    const { version } = JSON.parse(await readFile(`${path}.json`, 'utf8')) as { version?: unknown };
    if (typeof version !== 'string') return { bytes: 0, version: undefined };
    return { bytes: (await stat(path)).size, version };
  } catch {
    return { bytes: 0, version: undefined }; // nothing of use: from the beginning
  }
}

/** By hand, because each step must be a permitted address too. */
async function follow(address: string, held: Held): Promise<Response> {
  let url = parseAddress(address);
  const range = held.bytes > 0 && held.version !== undefined;
  const headers: Record<string, string> = range
    ? { range: `bytes=${held.bytes}-`, 'if-range': held.version ?? '', 'accept-encoding': 'identity' }
    : { 'accept-encoding': 'identity' };
  for (let step = 0; step <= REDIRECTS; step += 1) {
    const response = await fetch(url, { headers, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    url = parseAddress(new URL(location, url).href);
  }
  throw new DownloadError('The address leads from one to the next without end.');
}

/** https, or http to this machine: nobody on the way can slip in another file. */
export function parseAddress(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url && /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere)) return url;
  throw new DownloadError('The address must begin with https://.');
}

async function receive(options: DownloadOptions, response: Response, from: number): Promise<string | undefined> {
  const length = Number(response.headers.get('content-length') ?? NaN);
  const totalBytes = Number.isFinite(length) ? from + length : undefined;
  const fault = findFault(options, response, from, totalBytes);
  if (fault !== undefined || response.body === null) {
    await response.body?.cancel();
    throw new DownloadError(fault ?? 'The server sent nothing.');
  }
  // A weak tag promises no equal bytes, so that nothing can be put behind them later.
  const tag = response.headers.get('etag');
  await writeFile(`${options.path}.json`, JSON.stringify({ version: tag?.startsWith('"') ? tag : undefined }));
  return writeBody(options, response.body, from, totalBytes);
}

function findFault(
  { maxBytes }: DownloadOptions,
  response: Response,
  from: number,
  totalBytes: number | undefined,
): string | undefined {
  if (response.status !== 200 && response.status !== 206) return `The server answered ${response.status}.`;
  const isElsewhere = response.headers.get('content-range')?.startsWith(`bytes ${from}-`) !== true;
  if (response.status === 206 && isElsewhere) return 'The server sent another part than was asked for.';
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/')) return `The server sent a page (${type}) and not a network.`;
  return totalBytes !== undefined && totalBytes > maxBytes ? tooLarge(maxBytes) : undefined;
}

const tooLarge = (maxBytes: number) => `The file is larger than ${Math.floor(maxBytes / 1024 ** 2)} MiB.`;

async function writeBody(
  options: DownloadOptions,
  body: ReadableStream<Uint8Array>,
  from: number,
  totalBytes: number | undefined,
): Promise<string | undefined> {
  const watch = new AbortController();
  const silence = setTimeout(() => watch.abort(new Error('nothing came for a minute')), SILENT_MS);
  let bytes = from;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      silence.refresh();
      bytes += chunk.length;
      if (bytes > options.maxBytes) throw new DownloadError(tooLarge(options.maxBytes));
      options.tell({ bytes, totalBytes });
      yield chunk;
    }
  };
  try {
    const end = createWriteStream(options.path, { flags: from > 0 ? 'a' : 'w', mode: 0o600 });
    await pipeline(body, count, end, { signal: watch.signal });
  } catch (error) {
    if (error instanceof DownloadError) throw error;
    return `The connection was cut after ${bytes} bytes (${describe(error)}).`;
  } finally {
    clearTimeout(silence);
  }
  return totalBytes === undefined || bytes === totalBytes ? undefined : `The file ended after ${bytes} bytes.`;
}

function describe(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const inner = cause instanceof Error ? cause : error;
  return inner instanceof Error ? inner.message : String(inner);
}
