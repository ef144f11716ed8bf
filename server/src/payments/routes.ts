import { listPackages, type sandboxActions } from '@plinth/contract/payments';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { sendHtml } from '../platform/http/headers.ts';
import { requireUser } from '../platform/http/caller.ts';
import { originOf } from '../platform/http/http.ts';
import { sendOnce } from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute, countBy, readBody, type RequestOf } from '../platform/http/route.ts';
import { addBillingRoutes } from './billing.ts';
import { openPurchase } from './checkout.ts';
import { getPurchase, listPurchases } from './purchases.ts';
import { addReceiptRoutes } from './receipt-routes.ts';
import { getSandboxOrder, signSandboxMessage } from './sandbox.ts';
import { renderSandboxPage, SANDBOX_SCRIPT } from './sandbox-page.ts';
import { addWebhooks, type WebhookOptions } from './webhooks.ts';

type PaymentOptions = WebhookOptions & {
  limits: RequestLimits;
  publicOrigin: string | undefined;
  sandboxSecret: string | undefined;
};

export function addPaymentRoutes(http: FastifyInstance, options: PaymentOptions): void {
  const { db, clock, limits, processors } = options;
  addRoute(http, 'get /packages', async () => ({ items: listPackages() }));
  addRoute(http, 'post /purchases', { guards: [countBy(limits, 'purchase')] }, (request, reply) =>
    sendOnce(request, reply, options, async (idempotent) => {
      const { package: packageKey } = readBody('post /purchases', request);
      const returnUrl = `${originOf(request, options.publicOrigin)}/dashboard/credits`;
      return openPurchase({ db, clock, processor: processors[0] }, { request: idempotent, packageKey, returnUrl });
    }),
  );
  addRoute(http, 'get /purchases', (request) => listPurchases(db, requireUser(request).userId, readPage(request)));
  addRoute(http, 'get /purchases/{id}', (request) => getPurchase(db, requireUser(request).userId, request.params.id));
  addReceiptRoutes(http, options);
  addBillingRoutes(http, options);
  addWebhooks(http, options);
  if (options.sandboxSecret !== undefined) addSandboxRoutes(http, { ...options, sandboxSecret: options.sandboxSecret });
}

const MESSAGE_TYPES: Record<(typeof sandboxActions)[number], string> = {
  pay: 'payment.succeeded',
  decline: 'payment.failed',
  cancel: 'payment.cancelled',
};

function addSandboxRoutes(http: FastifyInstance, options: { db: Db; clock: Clock; sandboxSecret: string }): void {
  const { db, clock, sandboxSecret } = options;
  type Token = { Params: { token: string } };
  http.get('/sandbox/checkout.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(SANDBOX_SCRIPT),
  );
  http.get<Token>('/sandbox/checkout/:token', async (request, reply) => {
    const { token } = request.params;
    const order = await getSandboxOrder(db, token);
    return sendHtml(reply.header('Cache-Control', 'no-store'), renderSandboxPage(order, token));
  });
  const onlyKnown = ({ params }: RequestOf<'post /sandbox/checkout/{token}'>) => getSandboxOrder(db, params.token);
  addRoute(http, 'post /sandbox/checkout/{token}', { guards: [onlyKnown] }, async (request) => {
    const order = await getSandboxOrder(db, request.params.token);
    const { action } = readBody('post /sandbox/checkout/{token}', request);
    const message = signSandboxMessage(sandboxSecret, MESSAGE_TYPES[action], order, clock.now());
    const answer = await http.inject({ method: 'POST', url: '/webhooks/sandbox', ...message });
    if (answer.statusCode !== 200) throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5 });
    return { redirectTo: `/dashboard/credits?success=${action === 'pay'}` };
  });
}
