import { WEBHOOK_RETRY_SECONDS } from '@plinth/contract/webhooks';
import { sql } from 'kysely';
import type { Counter } from 'prom-client';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, isDatabaseUnavailable, transaction } from '../platform/data/db.ts';
import { recordDeletion } from '../platform/data/deletions.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Log } from '../platform/log.ts';
import { chooseAgent } from '../platform/public-address.ts';

/** Sends pending messages until they are delivered or their attempts are used up. */

type SendingOptions = {
  db: Db;
  clock: Clock;
  log: Log;
  /** `host:port` that is allowed although it is private or http. */
  allowedHosts: readonly string[];
  /** How long an ended message can be read and sent again. */
  ttlSeconds: number;
  tries: Counter<'outcome'>;
  stopping: AbortSignal;
};

const EVERY_MS = 250;
/** High enough that many hanging receivers do not block others. */
const MAX_CONCURRENT = 200;
const MAX_PER_ENDPOINT = 2;
/** Time limit of an attempt, from DNS to the answer. */
const ATTEMPT_MS = 10_000;
/** Lease of a message: a worker that exceeds it is dead, and another one retries. */
const LEASE_SECONDS = 30;
/** Bytes and time for reading an answer's body after its status. */
const MAX_RESPONSE_BYTES = 4096;
const REST_MS = 1000;

/** Sends until the process stops; resolves once all messages in flight are released. */
export async function sendWebhooks(options: SendingOptions): Promise<void> {
  const { log, stopping } = options;
  const open = new Set<Promise<void>>();
  let wake = () => {};
  const logFault = (error: unknown) => {
    // The outage is logged elsewhere; messages wait.
    if (!stopping.aborted && !isDatabaseUnavailable(error)) log.error({ err: error }, 'webhooks');
  };
  stopping.addEventListener('abort', () => wake());
  while (!stopping.aborted) {
    const capacity = MAX_CONCURRENT - open.size;
    const due = capacity > 0 ? await claimDue(options, capacity).catch(logFault) : undefined;
    for (const delivery of due ?? []) {
      const sent = send(options, delivery)
        .catch(logFault)
        .finally(() => {
          open.delete(sent);
          wake();
        });
      open.add(sent);
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, EVERY_MS).unref();
    });
  }
  await Promise.all(open);
}

type Due = Row<'webhookDeliveries', 'id' | 'endpointId' | 'attempts' | 'body' | 'leasedUntil'> &
  Row<'webhookEndpoints', 'url' | 'secret'>;

/** Claims due messages, first attempts first, and at most two at a time per endpoint. */
async function claimDue({ db, clock }: SendingOptions, limit: number): Promise<Due[]> {
  const now = clock.now();
  const isOpen = sql`coalesce(d.leased_until > ${now}, false)`;
  const taken = await sql<Due>`
    with due as (
      select d.id, row_number() over (
        partition by d.endpoint_id order by ${isOpen} desc, d.attempts > 0, d.next_try_at, d.id) as place
      from webhook_deliveries d where d.status = 'pending' and d.next_try_at <= ${now}
    ), picked as (
      select d.id from webhook_deliveries d join due on due.id = d.id
      where due.place <= ${MAX_PER_ENDPOINT} and d.status = 'pending' and not ${isOpen}
      order by d.attempts > 0, d.next_try_at, d.id limit ${limit} for update of d skip locked
    )
    update webhook_deliveries d set leased_until = ${secondsAfter(now, LEASE_SECONDS)}
    from picked, webhook_endpoints e where d.id = picked.id and e.id = d.endpoint_id
    returning d.id, d.endpoint_id as "endpointId", d.attempts, d.body, d.leased_until as "leasedUntil", e.url,
      e.secret`.execute(db);
  return taken.rows;
}

async function send(options: SendingOptions, delivery: Due): Promise<void> {
  const status = await tryOnce(options, delivery);
  if (status === undefined && options.stopping.aborted) return releaseLease(options, delivery);
  options.tries.inc({ outcome: await record(options, delivery, status) });
}

/** The receiver's status; undefined after a timeout or for a disallowed address. */
async function tryOnce(options: SendingOptions, delivery: Due): Promise<number | undefined> {
  const signal = AbortSignal.any([options.stopping, AbortSignal.timeout(ATTEMPT_MS)]);
  // A request without a connection would notice the signal only once connected.
  const timeout = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  try {
    const { statusCode, body } = await Promise.race([post(options, delivery, signal), timeout]);
    // The status decides, whatever follows.
    await body.dump({ limit: MAX_RESPONSE_BYTES, signal: AbortSignal.timeout(REST_MS) }).catch(() => undefined);
    return statusCode;
  } catch {
    return undefined;
  }
}

async function post({ clock, allowedHosts }: SendingOptions, delivery: Due, signal: AbortSignal) {
  const { id, secret, url } = delivery;
  const body = delivery.body ?? '';
  const now = clock.now();
  // Follows no redirects and uses no proxy.
  return request(url, {
    method: 'POST',
    dispatcher: chooseAgent(new URL(url), allowedHosts),
    signal,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Plinth-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    },
    body,
  });
}

type Outcome = 'delivered' | 'retried' | 'failed' | 'gone';

/** Records an attempt's outcome, unless another worker has taken over the message. */
async function record(
  { db, clock, ttlSeconds }: SendingOptions,
  delivery: Due,
  status: number | undefined,
): Promise<Outcome> {
  const { id, endpointId, attempts, leasedUntil } = delivery;
  if (status === 410) {
    await transaction(db, async (tx) => {
      await sql`delete from webhook_endpoints where id = ${endpointId}`.execute(tx);
      await recordDeletion(tx, 'endpoint', endpointId, clock.now());
    });
    return 'gone';
  }
  const now = clock.now();
  const waitSeconds = WEBHOOK_RETRY_SECONDS[attempts];
  const isDelivered = status !== undefined && status >= 200 && status < 300;
  if (!isDelivered && waitSeconds !== undefined) {
    await sql`
      update webhook_deliveries
      set attempts = attempts + 1, next_try_at = ${secondsAfter(now, waitSeconds)}, leased_until = null
      where id = ${id} and leased_until = ${leasedUntil}`.execute(db);
    return 'retried';
  }
  const end = isDelivered ? 'delivered' : 'failed';
  await sql`
    update webhook_deliveries set attempts = attempts + 1, status = ${end}, ended_at = ${now},
      body = case when created_at > ${secondsAfter(now, -ttlSeconds)} then body end,
      next_try_at = null, leased_until = null
    where id = ${id} and leased_until = ${leasedUntil}`.execute(db);
  return end;
}

/** Releases messages at shutdown, so that the next process need not wait for their lease. */
async function releaseLease({ db }: SendingOptions, { id, leasedUntil }: Due): Promise<void> {
  await sql`
    update webhook_deliveries set leased_until = null
    where id = ${id} and leased_until = ${leasedUntil}`.execute(db);
}
