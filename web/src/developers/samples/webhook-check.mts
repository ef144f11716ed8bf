// True if a message is from Plinth: signed with the secret of your endpoint, at most five minutes ago.
// `body` is the raw body, before parsing.
export async function isFromPlinth(headers: Headers, body: string, secret: string): Promise<boolean> {
  const id = headers.get('webhook-id');
  const time = headers.get('webhook-timestamp');
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const read = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const how = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', read(secret.replace('whsec_', '')), how, false, ['verify']);
  const signed = new TextEncoder().encode([id, time, body].join('.'));
  for (const one of (headers.get('webhook-signature') ?? '').split(' ')) {
    if (!/^v1,[A-Za-z0-9+/]{43}=$/.test(one)) continue;
    if (await crypto.subtle.verify('HMAC', key, read(one.slice(3)), signed)) return true;
  }
  return false;
}
