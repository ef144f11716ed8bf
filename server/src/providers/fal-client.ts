import { ApiError, createFalClient, type FalClient } from '@fal-ai/client';

/** Where fal's three services are: the real hosts, another address, or the built-in engine. */
export type FalAddresses = { queue: string; rest: string; run: string };

const HOSTS: Record<string, keyof FalAddresses> = {
  'queue.fal.run': 'queue',
  'rest.fal.ai': 'rest',
  'rest.alpha.fal.ai': 'rest',
  'fal.run': 'run',
};

// Status of a submit whose answer was lost: not in the client's list of retries, so it is never sent twice.
const OUTCOME_UNKNOWN = 520;
// Status of a call that was never made, because it would have left the configured hosts.
const BLOCKED = 421;

/**
 * The unmodified fal client with one hook: its fixed hosts become the configured addresses, every other host is refused,
 * and a submit that the provider may have accepted is not sent again.
 */
export function makeFalClient(options: { key: string; addresses: FalAddresses; timeoutMs: number }): FalClient {
  const falFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const isSubmit = init?.method === 'POST' && HOSTS[url.hostname] === 'queue';
    const signal = AbortSignal.any([AbortSignal.timeout(options.timeoutMs), ...(init?.signal ? [init.signal] : [])]);
    try {
      // A redirect could lead the key to another host.
      const response = await fetch(route(url, options.addresses), { ...init, signal, redirect: 'error' });
      if (isSubmit && (response.status === 502 || response.status === 504)) throw unknownOutcome(response.status);
      return response;
    } catch (error) {
      if (!isSubmit || error instanceof ApiError || wasRefused(error)) throw error;
      throw unknownOutcome();
    }
  };
  return createFalClient({ credentials: options.key, fetch: falFetch, suppressLocalCredentialsWarning: true });
}

function route(url: URL, addresses: FalAddresses): string {
  const service = HOSTS[url.hostname];
  if (service !== undefined) return `${addresses[service]}${url.pathname}${url.search}`;
  // The place where an upload goes, as the storage itself said.
  const isRealStorage =
    addresses.rest === 'https://rest.fal.ai' &&
    url.protocol === 'https:' &&
    /\.fal\.(media|ai|run)$/.test(url.hostname);
  if (isRealStorage || Object.values(addresses).some((address) => new URL(address).origin === url.origin))
    return url.href;
  throw new ApiError({ message: `blocked host ${url.hostname}`, status: BLOCKED, body: null, requestId: '' });
}

function unknownOutcome(status?: number): ApiError<{ status: number | undefined }> {
  return new ApiError({ message: 'submit outcome unknown', status: OUTCOME_UNKNOWN, body: { status }, requestId: '' });
}

/** The HTTP status a provider really answered, or undefined where it gave no answer. */
export function findRealStatus(error: ApiError<unknown>): number | undefined {
  if (error.status === BLOCKED) return undefined;
  return error.status === OUTCOME_UNKNOWN ? (error.body as { status?: number }).status : error.status;
}

function wasRefused(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED';
}
