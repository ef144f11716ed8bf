import type { IncomingHttpHeaders } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import type { PaymentEffect, PaymentEvent } from './processor.ts';

/** Validates payment companies' messages. */

/** An id of ours or theirs. Postgres cannot store a NUL character, so none contains it. */
export const nameSchema = z.string().refine((text) => !text.includes('\0'));

/** True if a Stripe key moves real money. */
export const isLiveKey = (key: string): boolean => /^[sr]k_live_/.test(key);

/** The metadata that we attached to a payment; absent from payments that are not ours. */
export const metadataSchema = z.object({ purchaseId: nameSchema.optional().catch(undefined) }).catch({});

/** A sum in cents that the database can store. Any other becomes one that no order has, so the payment is reviewed. */
export const sumSchema = z.int32().catch(-1);

/** A currency in capital letters; an invalid one becomes one that no order has. */
export const currencySchema = z
  .string()
  .toUpperCase()
  .regex(/^[A-Z]{3}$/)
  .catch('');

/** An address to which a browser may be redirected. */
export const webAddressSchema = z.url({ protocol: /^https?$/ });

/** Parses a signed message. @throws AppError webhook_signature_invalid if it is not JSON */
export function parseSignedBody(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawBody));
  } catch (cause) {
    throw new AppError('webhook_signature_invalid', { cause });
  }
}

const messageSchema = z.object({ type: nameSchema, data: z.unknown() }).catch({ type: '', data: undefined });

/** Reads a message signed by Standard Webhooks with one of the secrets within 300 s. @throws as `parseSignedBody` */
export function readStandardWebhook(
  secrets: string[],
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
  readEffect: (type: string, data: unknown) => PaymentEffect | null,
): PaymentEvent {
  const headerRecord = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const isSigned = secrets.some((secret) => {
    try {
      new Webhook(secret).verify(rawBody, headerRecord, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
  if (!isSigned) throw new AppError('webhook_signature_invalid');
  const { type, data } = messageSchema.parse(parseSignedBody(rawBody));
  return { eventId: headerRecord['webhook-id'] ?? '', type, effect: readEffect(type, data) };
}
