import { z } from 'zod';
import { pageSchema } from '../paging.ts';
import { webhookDeliverySchema, webhookEndpointSchema, webhookEvents, WEBHOOK_URL_MAX_LENGTH } from '../webhooks.ts';
import { answer, done, type Operation, PAGING } from './operation.ts';

const endpointRequest = z.strictObject({
  url: z.url().max(WEBHOOK_URL_MAX_LENGTH),
  events: z.array(z.enum(webhookEvents)).min(1),
});

export const webhookOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/webhook-endpoints',
    says: 'Have your own server told when something has ended.',
    access: 'session',
    json: endpointRequest,
    idempotencyKey: 'optional',
    answers: {
      201: {
        says: 'The endpoint, with its secret this once.',
        json: webhookEndpointSchema.extend({ secret: z.string().optional() }),
      },
    },
    codes: ['invalid_option', 'url_not_allowed', 'too_many_endpoints'],
  },
  {
    method: 'get',
    path: '/webhook-endpoints',
    says: 'Your endpoints, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(webhookEndpointSchema), 'One page.'),
  },
  {
    method: 'delete',
    path: '/webhook-endpoints/{id}',
    says: 'Delete an endpoint and what waits for it.',
    access: 'session',
    answers: done('Gone.'),
  },
  {
    method: 'post',
    path: '/webhook-endpoints/{id}/test',
    says: 'Send it a test.',
    access: 'session',
    idempotencyKey: 'optional',
    answers: { 202: { says: 'On its way.', json: webhookDeliverySchema } },
  },
  {
    method: 'get',
    path: '/webhook-endpoints/{id}/deliveries',
    says: 'What became of the newest 50 messages.',
    access: 'session',
    answers: answer(z.object({ items: z.array(webhookDeliverySchema) }), 'The messages, newest first.'),
  },
];
