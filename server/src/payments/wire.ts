import type { IncomingHttpHeaders } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { AppError } from '../platform/errors.ts';

/** How the messages of payment companies are read: nothing of them is believed before it fits. */

/** A name of ours or theirs. The database knows no zero character, so nothing has such a name. */
export const nameSchema = z.string().refine((text) => !text.includes('\0'));

/** Whether a key of Stripe's moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

/** What we gave a payment along; of payments that are none of ours there is none. */
export const metadataSchema = z.object({ purchaseId: nameSchema.optional().catch(undefined) }).catch({});

/** A sum in cents that the database holds. Any other becomes one that no order has: somebody paid, a person looks. */
export const sumSchema = z.int32().catch(-1);

/** A currency in three capital letters; what cannot be read becomes one that no order has. */
export const currencySchema = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/)
  .catch('');

/** Where a browser may be sent. */
export const webAddressSchema = z.url({ protocol: /^https?$/ });

/** The JSON of a signed message. @throws AppError webhook_signature_invalid when it is none */
export function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody));
  } catch (cause) {
    throw new AppError('webhook_signature_invalid', { cause });
  }
}

/** Reads a Standard Webhooks message, signed with one of the secrets within 300 s. @throws AppError as `parseJson` */
export function readSigned(secrets: string[], rawBody: Buffer, headers: IncomingHttpHeaders) {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const isSigned = secrets.some((secret) => {
    try {
      new Webhook(secret).verify(rawBody, given, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
  if (!isSigned) throw new AppError('webhook_signature_invalid');
  return { id: given['webhook-id'] ?? '', content: parseJson(rawBody) };
}
