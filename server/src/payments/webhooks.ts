import { WEBHOOK_MAX_BYTES } from '@plinth/contract/limits';
import type { FastifyInstance } from 'fastify';
import type { Counter } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { fulfilPurchase, logReview } from './fulfil.ts';
import type { Processor, Processors } from './processor.ts';
import type { Seller } from './receipts.ts';

export type WebhookOptions = {
  db: Db;
  clock: Clock;
  log: Log;
  processors: Processors;
  seller: Seller;
  webhooks: Counter;
};

/** Ids by which an operator finds purchases in the log. */
const EVENTS: Record<string, string> = { paid: 'purchase_paid', taken_back: 'purchase_reversed' };

/** Webhooks are read as raw bytes, because the signature covers exactly these. */
export function addWebhooks(http: FastifyInstance, options: WebhookOptions): void {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: WEBHOOK_MAX_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    for (const processor of options.processors) addWebhook(scope, options, processor);
  });
}

function addWebhook(scope: FastifyInstance, options: WebhookOptions, processor: Processor): void {
  const { webhooks, log } = options;
  const sender = processor.name;
  scope.post(`/webhooks/${sender}`, { bodyLimit: WEBHOOK_MAX_BYTES }, async (request) => {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    try {
      const event = processor.readWebhook(rawBody, request.headers);
      const outcome = await fulfilPurchase(options, processor, event);
      webhooks.inc({ sender, outcome });
      const details = { sender, outcome, type: event.type, eventId: event.eventId };
      const isForReview = logReview(log, details);
      if (outcome !== 'processed' && !isForReview) log.warn(details, 'webhook without effect');
      if (outcome === 'processed')
        log.info({ event: EVENTS[event.effect?.kind ?? ''] ?? 'purchase_changed', ...details }, 'webhook');
      return { received: true };
    } catch (error) {
      webhooks.inc({ sender, outcome: error instanceof AppError ? error.code : 'failed' });
      if (error instanceof AppError) throw error;
      // The sender retries until it gets an answer, which is sent after the commit.
      throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5, cause: error });
    }
  });
}
