import { z } from 'zod';
import { named } from './named.ts';

/** Messages to the customer's own server, signed according to Standard Webhooks. */

export const webhookEvents = ['generation.finished', 'run.finished'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Message types: the events, and a test that the owner requests. */
const webhookMessages = [...webhookEvents, 'test'] as const;
export type WebhookMessage = (typeof webhookMessages)[number];

export const webhookEndpointSchema = named('WebhookEndpoint', {
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  createdAt: z.iso.datetime(),
});
export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;

/** A new endpoint with the secret that verifies its messages: `whsec_` and base64. It is shown only once. */
export const newWebhookEndpointSchema = webhookEndpointSchema.extend({ secret: z.string() });
export type NewWebhookEndpoint = z.infer<typeof newWebhookEndpointSchema>;

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One message to one endpoint. Its id is the `webhook-id` of every attempt. */
export const webhookDeliverySchema = named('WebhookDelivery', {
  id: z.string(),
  event: z.enum(webhookMessages),
  status: z.enum(deliveryStatuses),
  attempts: z.int().nonnegative(),
  /** Null once the delivery has ended. */
  nextTryAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

/** One message. Its `body` is deleted (null) 48 hours after creation, but not before the delivery has ended. */
export const webhookLogEntrySchema = webhookDeliverySchema.extend({
  body: z.string().nullable(),
});
export type WebhookLogEntry = z.infer<typeof webhookLogEntrySchema>;

export const WEBHOOK_MAX_ENDPOINTS = 10;
export const WEBHOOK_URL_MAX_LENGTH = 2000;
/** Number of an endpoint's newest messages that the API lists. */
export const WEBHOOK_DELIVERIES_SHOWN = 50;

/** Delays between attempts in seconds. After the last one the delivery has failed. */
export const WEBHOOK_RETRY_SECONDS = [5, ...[5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * 60)];
