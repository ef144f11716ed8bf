const MAX_ADDRESS_LENGTH = 2048;

/**
 * Says what is wrong with an address that a webhook shall go to, if anything. Only this machine's own addresses and
 * the `host` or `host:port` entries of the operator are reached: otherwise whoever may submit could make us call
 * whatever the network hides behind it.
 */
export function findTargetFault(address: string, allowedHosts: string[]): string | undefined {
  if (address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address)) return 'Input should be a valid URL';
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return "URL scheme should be 'http' or 'https'";
  if (url.username !== '' || url.password !== '') return 'URL should hold no user name and no password';
  const isAllowed = allowedHosts.includes(url.host) || allowedHosts.includes(url.hostname) || isThisMachine(url);
  return isAllowed ? undefined : 'Webhooks go to this machine or to the hosts of ENGINE_WEBHOOK_HOSTS only';
}

/** By its address, not by a name that somebody's name server answers for; `URL` has already unfolded odd spellings. */
function isThisMachine({ hostname }: URL): boolean {
  return /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]' || hostname === 'localhost';
}
