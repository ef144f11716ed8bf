import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { WEBHOOK_URL_MAX_LENGTH } from '@plinth/contract/webhooks';
import { Agent, type Dispatcher } from 'undici';
import { isNamedHost, isPublicAddress, mayBePublic } from '../platform/public-address.ts';

/** Where messages may go: public https addresses, and the hosts that the operator named. */

/** Whether messages may go there as things stand now: what its name leads to is looked at, too. */
export async function isAllowedUrl(text: unknown, namedHosts: readonly string[]): Promise<boolean> {
  const url = parseUrl(text);
  if (url === undefined) return false;
  if (isNamedHost(url, namedHosts)) return true;
  if (!mayBePublic(url)) return false;
  return isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || (await resolvePublic(url.hostname)).length > 0;
}

function parseUrl(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > WEBHOOK_URL_MAX_LENGTH || /[\s\p{C}]/u.test(text)) return undefined;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? url : undefined;
}

const CONNECT_MS = 10_000;

// No connection is kept: each message goes to an address that was looked at for it alone. The address that was looked
// at is the one that is used, so a name cannot change in between.
const publicOnly = new Agent({
  pipelining: 0,
  connect: {
    timeout: CONNECT_MS,
    lookup: (hostname, _options, done) => {
      void resolvePublic(hostname).then((addresses) =>
        addresses.length > 0
          ? done(
              null,
              addresses.map((address) => ({ address, family: isIP(address) })),
            )
          : done(new Error('refused address'), []),
      );
    },
  },
});
const direct = new Agent({ pipelining: 0, connect: { timeout: CONNECT_MS } });

/** What connects to this URL, and to nothing that is not allowed. @throws for a URL that is refused as it stands */
export function chooseConnection(url: URL, namedHosts: readonly string[]): Dispatcher {
  if (isNamedHost(url, namedHosts)) return direct;
  if (!mayBePublic(url)) throw new Error('refused address');
  return publicOnly;
}

// Asks the network itself: the system's own question would hold one of the few threads that files need, too, for as
// long as somebody's name server likes.
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** The addresses behind a name; none when it has none, or one of them is not public. */
async function resolvePublic(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return addresses.every(isPublicAddress) ? addresses : [];
}
