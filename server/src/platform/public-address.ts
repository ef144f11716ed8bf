import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
