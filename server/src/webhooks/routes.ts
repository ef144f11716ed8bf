import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { fieldError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute, countBy, readBody, type RequestOf } from '../platform/http/route.ts';
import { isAllowedUrl } from './address.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointOptions,
  getDelivery,
  listDeliveries,
  listEndpoints,
  queueTest,
  refuseForeignEndpoint,
  sendAgain,
} from './endpoints.ts';

export type WebhookOptions = EndpointOptions & {
  clock: Clock;
  limits: RequestLimits;
  /** `host:port` that messages may go to although they are private or http. */
  namedHosts: readonly string[];
};

export function addWebhookRoutes(http: FastifyInstance, options: WebhookOptions): void {
  const { db, clock, limits } = options;
  const onlyOwn = (request: RequestOf<'post /webhook-endpoints/{id}/test'>) =>
    refuseForeignEndpoint(db, requireUser(request).userId, request.params.id);
  addRoute(http, 'get /webhook-endpoints', (request) =>
    listEndpoints(db, requireUser(request).userId, readPage(request)),
  );
  addRoute(http, 'post /webhook-endpoints', (request, reply) => create(request, reply, options), {
    guards: [countBy(limits, 'webhookEndpoint')],
  });
  addRoute(http, 'delete /webhook-endpoints/{id}', (request) =>
    deleteEndpoint(db, clock, requireUser(request).userId, request.params.id),
  );
  addRoute(
    http,
    'post /webhook-endpoints/{id}/test',
    (request, reply) =>
      sendOnce(request, reply, options, (idempotent) =>
        queueTest(options, requireUser(request), idempotent, request.params.id),
      ),
    { guards: [onlyOwn, countBy(limits, 'webhookTest')] },
  );
  addRoute(
    http,
    'get /webhook-endpoints/{id}/deliveries',
    async (request) => ({ items: await listDeliveries(db, request.params.id) }),
    { guards: [onlyOwn] },
  );
  addRoute(
    http,
    'get /webhook-endpoints/{id}/deliveries/{deliveryId}',
    ({ params }) => getDelivery(db, params.id, params.deliveryId),
    { guards: [onlyOwn] },
  );
  addRoute(
    http,
    'post /webhook-endpoints/{id}/deliveries/{deliveryId}/again',
    (request, reply) =>
      sendOnce(request, reply, options, (idempotent) =>
        sendAgain(options, requireUser(request), idempotent, request.params),
      ),
    { guards: [onlyOwn, countBy(limits, 'webhookTest')] },
  );
}

function create(request: FastifyRequest, reply: FastifyReply, options: WebhookOptions): Promise<FastifyReply> {
  return sendOnce(request, reply, options, async (idempotent) => {
    const { url, events } = readBody('post /webhook-endpoints', request);
    if (!(await isAllowedUrl(url, options.namedHosts))) throw fieldError('url', 'url_not_allowed');
    return createEndpoint(options, requireUser(request), idempotent, { url, events: [...new Set(events)] });
  });
}
