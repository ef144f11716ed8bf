import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, type Dispatcher } from 'undici';

/** Protects against SSRF: only public addresses, and hosts that the operator allowed, are reached for users. */

/** True for a public address; of IPv6 only the assigned range 2000::/3. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || /^[23]...:/.test(parsed.toString()));
}

/** True if the operator allowed this host and port, which may then be private and plain http. */
export function isAllowedHost(url: URL, hosts: readonly string[]): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return hosts.includes(`${url.hostname}:${port}`) && /^https?:$/.test(url.protocol);
}

/** True if a URL may be requested: https, and if its host is an address, a public one. */
export function isPublicUrl(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host));
}

const CONNECT_MS = 10_000;

// No keep-alive, and the checked address is the one that is connected to, which prevents DNS rebinding.
const publicOnly = new Agent({
  pipelining: 0,
  connect: {
    timeout: CONNECT_MS,
    lookup: (hostname, _options, done) => {
      resolvePublic(hostname).then(
        (addresses) =>
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          ),
        (error: Error) => done(error, []),
      );
    },
  },
});
const direct = new Agent({ pipelining: 0, connect: { timeout: CONNECT_MS } });

/** An agent that connects to this URL and only to allowed addresses. @throws for a URL that is not allowed */
export function chooseAgent(url: URL, allowedHosts: readonly string[]): Dispatcher {
  if (isAllowedHost(url, allowedHosts)) return direct;
  if (!isPublicUrl(url)) throw new Error('refused address');
  return publicOnly;
}

/** The addresses of a name. @throws the error of the name server, or another one if an address is not public */
export async function resolvePublic(hostname: string): Promise<string[]> {
  // Not dns.lookup, which would block one of the few threads of libuv's pool.
  // A resolver keeps the name servers that the system had when it was created.
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failed = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (addresses.length === 0) throw failed?.reason ?? new Error('no address');
  if (!addresses.every(isPublicAddress)) throw new Error('refused address');
  return addresses;
}
