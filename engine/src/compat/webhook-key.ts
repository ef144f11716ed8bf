import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { findJson, writeDurably } from '../work/durable.ts';

/** The key pair that webhooks are signed with: made once, kept beside the jobs, its public half served to receivers. */

/** A JSON web key set (RFC 7517) with Ed25519 keys (RFC 8037). */
export type PublicKeySet = {
  keys: { kty: 'OKP'; crv: 'Ed25519'; x: string; kid: string; use: 'sig'; alg: 'EdDSA' }[];
};

export type WebhookKey = {
  privateKey: KeyObject;
  publicKeys: PublicKeySet;
};

/** Reads the key from its file, or makes the file. */
export async function openWebhookKey(path: string): Promise<WebhookKey> {
  const privateKey = (await findKey(path)) ?? (await makeKey(path));
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (x === undefined) throw new Error(`${path} holds no Ed25519 key`);
  const kid = createHash('sha256').update(x).digest('base64url').slice(0, 16);
  return { privateKey, publicKeys: { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' }] } };
}

const USER_ID = 'local';

/**
 * The four headers of fal's webhooks. What is signed: request id, user id, unix seconds and the lowercase hex SHA-256
 * of the raw body, each on a line of its own (fal's documentation of webhook verification).
 */
export function signWebhook(
  { privateKey }: WebhookKey,
  requestId: string,
  nowMs: number,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const digest = createHash('sha256').update(body).digest('hex');
  const message = [requestId, USER_ID, timestamp, digest].join('\n');
  return {
    'x-fal-webhook-request-id': requestId,
    'x-fal-webhook-user-id': USER_ID,
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, Buffer.from(message), privateKey).toString('hex'),
  };
}

async function findKey(path: string): Promise<KeyObject | undefined> {
  const saved = (await findJson(path)) as { pkcs8?: string } | undefined;
  if (typeof saved?.pkcs8 !== 'string') return undefined;
  const key = createPrivateKey({ key: Buffer.from(saved.pkcs8, 'base64'), format: 'der', type: 'pkcs8' });
  return key.asymmetricKeyType === 'ed25519' ? key : undefined;
}

async function makeKey(path: string): Promise<KeyObject> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  await writeDurably(path, JSON.stringify({ pkcs8 }));
  return privateKey;
}
