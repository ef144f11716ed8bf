import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { chooseAgent } from '../platform/public-address.ts';
import { ProviderError } from './provider.ts';

/** Downloads a result from public addresses or allowed hosts only, within limits of size and time. */

const MAX_BYTES = 64 * 1024 * 1024;
const TIME_MS = 60_000;
const MAX_REDIRECTS = 3;
const TRIES = 3;
const PAUSE_MS = 500;

/** A network error, or a temporary one of the host. */
class TransientError extends Error {}

/**
 * Tries up to three times, because the file is paid for.
 * @throws ProviderError result_invalid for a disallowed address, a wrong answer, or too many bytes
 */
export async function fetchFile(url: string, allowedHosts: readonly string[], pauseScale: number): Promise<Buffer> {
  const signal = AbortSignal.timeout(TIME_MS);
  for (let tries = 1; ; tries += 1) {
    try {
      if (url.startsWith('data:')) return readDataUrl(url);
      return await fetchFollowing(new URL(url), allowedHosts, MAX_REDIRECTS, signal);
    } catch (error) {
      if (!isTransient(error) || tries === TRIES) throw new ProviderError('result_invalid', { cause: error });
    }
    await sleep(PAUSE_MS * tries * pauseScale);
  }
}

/** True for network errors of the system and of undici; codes with ERR_ are about the request itself. */
const isTransient = (error: unknown): boolean =>
  error instanceof TransientError ||
  (error instanceof Error && /^(?!ERR_)(E|UND_ERR_)/.test(String(Reflect.get(error, 'code'))));

async function fetchFollowing(
  url: URL,
  allowedHosts: readonly string[],
  redirects: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const response = await request(url, { dispatcher: chooseAgent(url, allowedHosts), signal });
  const location = response.headers.location;
  if (response.statusCode >= 300 && response.statusCode < 400 && typeof location === 'string' && redirects > 0) {
    await response.body.dump();
    return fetchFollowing(new URL(location, url), allowedHosts, redirects - 1, signal);
  }
  if (response.statusCode !== 200) {
    await response.body.dump();
    const isPassing = response.statusCode === 429 || response.statusCode >= 500;
    throw new (isPassing ? TransientError : Error)(`status ${response.statusCode}`);
  }
  return readBody(response.body);
}

/** Reads a response completely. @throws if it is larger than any result may be */
export async function readBody(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function readDataUrl(url: string): Buffer {
  const found = /^data:[\w.+/-]+;base64,/.exec(url);
  if (found === null || url.length > MAX_BYTES * 1.4) throw new Error('unreadable data URL');
  return Buffer.from(url.slice(found[0].length), 'base64');
}
