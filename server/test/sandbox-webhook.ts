import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { TestApp } from './app.ts';

export type Envelope = { id?: string; at?: Date; secret?: string };

/** Sends a message of the sandbox's payment company, signed as it does. */
export function sendWebhook(app: TestApp, body: string | Buffer, envelope: Envelope = {}): Promise<Response> {
  const { id = `msg_${randomUUID()}`, at = new Date(), secret = app.sandboxSecret } = envelope;
  return fetch(`${app.url}/webhooks/sandbox`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
  });
}
