import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher } from 'undici';

/** Which addresses others may have us reach: those of the open network, and hosts that the operator named. */

/** Whether an address is one of the open network: of IPv6 only what is assigned to it, 2000::/3. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || /^[23]...:/.test(parsed.toString()));
}

/** Whether the operator named this host and port: it may be private, and plain http. */
export function isNamedHost(url: URL, hosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.includes(`${url.hostname}:${port}`) && /^https?:$/.test(url.protocol);
}

/** Whether a URL may be asked at all: over https, and where its host is an address, a public one. */
export function mayBePublic(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host));
}

const CONNECT_MS = 10_000;

// No connection is kept, and the address that was looked at is the one that is used: a name cannot change in between.
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

// Not the system's resolver: that would hold one of the few threads that files need, too.
const resolver = new Resolver({ timeout: 2000, tries: 2 });

/** The addresses behind a name; none when it has none, or one of them is not public. */
export async function resolvePublic(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  return addresses.every(isPublicAddress) ? addresses : [];
}
