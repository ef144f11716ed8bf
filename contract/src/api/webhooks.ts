import { z } from 'zod';
import {
  newWebhookEndpointSchema,
  WEBHOOK_URL_MAX_LENGTH,
  webhookDeliverySchema,
  webhookEndpointSchema,
  webhookEvents,
  webhookLogEntrySchema,
} from '../webhooks.ts';
import { accepted, created, DONE, get, list, post, remove } from './operation.ts';

/** A request repeated with the same idempotency key gets the endpoint without its secret. */
const newEndpoint = newWebhookEndpointSchema.partial({ secret: true });

export const webhookOperations = [
  post(
    '/webhook-endpoints',
    'Have your own server told when something has ended.',
    created(newEndpoint, 'The endpoint, with its secret this once.'),
    {
      json: z.strictObject({
        url: z.url('url_not_allowed').max(WEBHOOK_URL_MAX_LENGTH, 'url_not_allowed'),
        events: z.array(z.enum(webhookEvents)).min(1),
      }),
      fault: 'invalid_option',
      idempotencyKey: 'optional',
      codes: ['url_not_allowed', 'too_many_endpoints'],
    },
  ),
  list('/webhook-endpoints', 'Your endpoints, newest first.', webhookEndpointSchema),
  remove('/webhook-endpoints/{id}', 'Delete an endpoint and what waits for it.', DONE),
  post('/webhook-endpoints/{id}/test', 'Send it a test.', accepted(webhookDeliverySchema, 'On its way.'), {
    idempotencyKey: 'optional',
  }),
  get(
    '/webhook-endpoints/{id}/deliveries',
    'What became of the newest 50 messages.',
    z.object({ items: z.array(webhookDeliverySchema) }),
  ),
  get(
    '/webhook-endpoints/{id}/deliveries/{deliveryId}',
    'One message with its body, which is kept for 48 hours.',
    webhookLogEntrySchema,
  ),
  post(
    '/webhook-endpoints/{id}/deliveries/{deliveryId}/again',
    'Send a message again, with the same webhook-id and body.',
    accepted(webhookDeliverySchema, 'On its way.'),
    { idempotencyKey: 'optional' },
  ),
] as const;
