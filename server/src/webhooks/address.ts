import { isIP } from 'node:net';
import { WEBHOOK_URL_MAX_LENGTH } from '@plinth/contract/webhooks';
import { isNamedHost, mayBePublic, resolvePublic } from '../platform/public-address.ts';

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
