import { type WebhookEvent, webhookEvents } from '@plinth/contract/webhooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { fieldError } from '../platform/errors.ts';
import { onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { parseBody, parseNoBody } from '../platform/http/http.ts';
import { hashBody, onlyWithSoundKey, readIdempotent, sendOnce } from '../platform/http/idempotency.ts';
import type { LimitKind, RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { isAllowedUrl } from './address.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointOptions,
  listDeliveries,
  listEndpoints,
  queueTest,
  refuseForeignEndpoint,
} from './endpoints.ts';

export type WebhookOptions = EndpointOptions & {
  clock: Clock;
  limits: RequestLimits;
  /** `host:port` that messages may go to although they are private or http. */
  namedHosts: readonly string[];
};

type WithId = { Params: { id: string } };

export function addWebhookRoutes(http: FastifyInstance, options: WebhookOptions): void {
  const { db, clock, limits } = options;
  const idOf = (request: FastifyRequest) => (request.params as WithId['Params']).id;
  const onlyOwn = (request: FastifyRequest) => refuseForeignEndpoint(db, requireUser(request).userId, idOf(request));
  const count = (kind: LimitKind) => async (request: FastifyRequest) =>
    limits.count(kind, requireUser(request).countsAs);

  http.get('/api/v1/webhook-endpoints', { onRequest: onlySignedIn }, async (request) =>
    listEndpoints(db, requireUser(request).userId, readPage(request.query)),
  );
  http.post(
    '/api/v1/webhook-endpoints',
    { onRequest: [onlySignedIn, count('webhookEndpoint'), onlyWithSoundKey] },
    (request, reply) => create(request, reply, options),
  );
  http.delete<WithId>('/api/v1/webhook-endpoints/:id', { onRequest: onlySignedIn }, async (request, reply) => {
    await deleteEndpoint(db, clock, requireUser(request).userId, idOf(request));
    return reply.status(204).send();
  });
  http.post<WithId>(
    '/api/v1/webhook-endpoints/:id/test',
    { onRequest: [onlySignedIn, onlyOwn, count('webhookTest'), onlyWithSoundKey] },
    (request, reply) => {
      parseNoBody(request.body);
      const idempotent = readIdempotent(request, clock, hashBody(request));
      const test = () => queueTest(options, requireUser(request), idempotent, idOf(request));
      return sendOnce(reply, db, idempotent, test);
    },
  );
  http.get<WithId>(
    '/api/v1/webhook-endpoints/:id/deliveries',
    { onRequest: [onlySignedIn, onlyOwn] },
    async (request) => ({ items: await listDeliveries(db, idOf(request)) }),
  );
}

const endpointSchema = z.strictObject({ url: z.unknown().optional(), events: z.unknown().optional() });

function create(request: FastifyRequest, reply: FastifyReply, options: WebhookOptions): Promise<FastifyReply> {
  const idempotent = readIdempotent(request, options.clock, hashBody(request));
  return sendOnce(reply, options.db, idempotent, async () => {
    const { url, events } = parseBody(endpointSchema, request.body, 'malformed_request');
    const isAllowed = typeof url === 'string' && (await isAllowedUrl(url, options.namedHosts));
    if (!isAllowed) throw fieldError('url', 'url_not_allowed');
    return createEndpoint(options, requireUser(request), idempotent, { url, events: readEvents(events) });
  });
}

/** Each event once. @throws AppError invalid_option */
function readEvents(given: unknown): WebhookEvent[] {
  const read = z.array(z.enum(webhookEvents)).min(1).safeParse(given);
  if (!read.success) throw fieldError('events', 'invalid_option');
  return [...new Set(read.data)];
}
