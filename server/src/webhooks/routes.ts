import { isIP } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import { fieldError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute, countBy, readBody, type RequestOf } from '../platform/http/route.ts';
import { isAllowedHost, isPublicUrl, resolvePublic } from '../platform/public-address.ts';
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
  /** `host:port` that is allowed although it is private or http. */
  allowedHosts: readonly string[];
};

export function addWebhookRoutes(http: FastifyInstance, options: WebhookOptions): void {
  const { db, clock, limits } = options;
  const onlyOwn = (request: RequestOf<'post /webhook-endpoints/{id}/test'>) =>
    refuseForeignEndpoint(db, requireUser(request).userId, request.params.id);
  addRoute(http, 'get /webhook-endpoints', (request) =>
    listEndpoints(db, requireUser(request).userId, readPage(request)),
  );
  addRoute(http, 'post /webhook-endpoints', { guards: [countBy(limits, 'webhookEndpoint')] }, (request, reply) =>
    create(request, reply, options),
  );
  addRoute(http, 'delete /webhook-endpoints/{id}', (request) =>
    deleteEndpoint(db, clock, requireUser(request).userId, request.params.id),
  );
  const countSending = countBy(limits, 'webhookTest');
  addRoute(http, 'post /webhook-endpoints/{id}/test', { guards: [onlyOwn, countSending] }, (request, reply) =>
    sendOnce(request, reply, options, (idempotent) =>
      queueTest(options, requireUser(request), idempotent, request.params.id),
    ),
  );
  addRoute(http, 'get /webhook-endpoints/{id}/deliveries', { guards: [onlyOwn] }, async (request) => ({
    items: await listDeliveries(db, request.params.id),
  }));
  const readDelivery = ({ params }: RequestOf<'get /webhook-endpoints/{id}/deliveries/{deliveryId}'>) =>
    getDelivery(db, params.id, params.deliveryId);
  addRoute(http, 'get /webhook-endpoints/{id}/deliveries/{deliveryId}', { guards: [onlyOwn] }, readDelivery);
  const again = { guards: [onlyOwn, readDelivery, countSending] };
  addRoute(http, 'post /webhook-endpoints/{id}/deliveries/{deliveryId}/again', again, (request, reply) =>
    sendOnce(request, reply, options, (idempotent) =>
      sendAgain(options, requireUser(request), idempotent, request.params),
    ),
  );
}

function create(request: FastifyRequest, reply: FastifyReply, options: WebhookOptions): Promise<FastifyReply> {
  return sendOnce(request, reply, options, async (idempotent) => {
    const { url, events } = readBody('post /webhook-endpoints', request);
    if (!(await isAllowedUrl(url, options.allowedHosts))) throw fieldError('url', 'url_not_allowed');
    return createEndpoint(options, requireUser(request), idempotent, { url, events: [...new Set(events)] });
  });
}

/** True if messages may be sent there: a public https address, resolved now, or a host that the operator allowed. */
async function isAllowedUrl(text: string, allowedHosts: readonly string[]): Promise<boolean> {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /[\s\p{C}]/u.test(text)) return false;
  if (isAllowedHost(url, allowedHosts)) return true;
  if (!isPublicUrl(url)) return false;
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return true;
  return resolvePublic(url.hostname).then(
    () => true,
    () => false,
  );
}
