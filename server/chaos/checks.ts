import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { findViolations } from '../src/commands/check.ts';
import { removeOrphans } from '../src/media/orphans.ts';
import { createLog } from '../src/platform/log.ts';
import type { Traffic } from './traffic.ts';
import type { World } from './world.ts';

/** Invariants that hold whenever the product is idle again. Each violation is a sentence. */

// The longest that a job may take here, plus the minute that the product has for recovery.
const SETTLE_MS = 90_000;

/** Waits until no work is left; whatever remains is stuck. */
export async function settle(world: World): Promise<string[]> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const open = await findOpen(world).catch((error: unknown) => [String(error)]);
    if (open.length === 0) return [];
    if (performance.now() > end) return open.map((one) => `stuck: ${one}`);
    await makeJobsDue(world).catch(() => undefined);
    await sleep(100);
  }
}

async function findOpen({ database: { db } }: World): Promise<string[]> {
  const found = await sql<{ open: string }>`
    select 'generation ' || id || ' is ' || status as open from generations where status in ('queued', 'running')
    union all
    select 'job ' || id || ' of ' || (data ->> 'generationId') || ' is ' || state from pgboss.job
    where state in ('created', 'retry', 'active') and data ? 'generationId'`.execute(db);
  return found.rows.map(({ open }) => open);
}

/**
 * Shortens the queue's waits: a job whose worker was silent for ten seconds counts as lost, and retries are due at
 * once.
 */
async function makeJobsDue({ database: { db } }: World): Promise<void> {
  await sql`
    update pgboss.job set heartbeat_on = heartbeat_on - interval '10 seconds'
    where state = 'active' and heartbeat_on < now() - interval '4 seconds'`.execute(db);
  await sql`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`.execute(db);
}

export async function listBreaches(world: World, traffic: Traffic): Promise<string[]> {
  return [
    ...traffic.faults,
    ...(await findViolations(world.library)),
    ...(await findWrongMoney(world)),
    ...(await findBrokenPromises(world, traffic)),
    ...(await findEventFaults(world, traffic)),
    ...findRepeatedRequests(world, traffic),
    ...findLoggedFaults(world),
    ...(await sweepOrphans(world)),
  ];
}

/** One debit and one result or refund each; redos are free and refund nothing; a purchase is credited once. */
async function findWrongMoney({ database: { db } }: World): Promise<string[]> {
  const found = await sql<{ fault: string }>`
    select 'generation ' || g.id || ' (' || g.status || ', returned ' || (g.returned_at is not null) || ') has ' ||
      l.debits || ' debits and ' || l.refunds || ' refunds' as fault
    from generations g cross join lateral (
      select count(*) filter (where reason = 'debit') as debits, count(*) filter (where reason = 'refund') as refunds
      from credit_ledger where generation_id = g.id) l
    where l.debits <> case when g.cost > 0 then 1 else 0 end
      or l.refunds <> case when g.cost > 0 and (g.status <> 'succeeded' or g.returned_at is not null) then 1 else 0 end
    union all
    select 'the balance of ' || c.user_id || ' is ' || c.credits || ', its ledger says ' || coalesce(sum(l.delta), 0)
    from user_credits c left join credit_ledger l using (user_id)
    group by c.user_id, c.credits having c.credits < 0 or c.credits <> coalesce(sum(l.delta), 0)
    union all
    select 'purchase ' || p.id || ' is ' || p.status || ' with ' || count(l.*) || ' entries'
    from purchases p left join credit_ledger l on l.purchase_id = p.id and l.reason = 'purchase'
    join users u on u.id = p.user_id
    group by p.id, u.deleted_at having u.deleted_at is null and count(l.*) <> case when p.status = 'paid' then 1 else 0 end
  `.execute(db);
  return found.rows.map(({ fault }) => fault);
}

/**
 * Responses were true: an accepted generation exists once per key, and an acknowledged payment is booked, or under
 * review if the account was deleted before it.
 */
async function findBrokenPromises({ database: { db } }: World, traffic: Traffic): Promise<string[]> {
  const faults: string[] = [];
  for (const [key, ids] of traffic.accepted)
    if (ids.size > 1) faults.push(`the key ${key} stands for ${[...ids].join(' and ')}`);
  const ids = [...traffic.accepted.values()].flatMap((all) => [...all]);
  const known = await sql<{ id: string }>`select id from generations where id = any(${ids})`.execute(db);
  const names = new Set(known.rows.map(({ id }) => id));
  faults.push(...ids.filter((id) => !names.has(id)).map((id) => `the accepted generation ${id} is lost`));
  const unpaid = await sql<{ id: string; status: string }>`
    select p.id, p.status from purchases p join users u on u.id = p.user_id
    where p.id = any(${[...traffic.paid]}) and p.status <> 'paid'
      and not (p.status = 'review' and u.deleted_at is not null)`.execute(db);
  faults.push(...unpaid.rows.map(({ id, status }) => `the acknowledged payment of ${id} left it ${status}`));
  const alive = await sql<{ id: string }>`
    select id from users where id = any(${[...traffic.gone]}) and deleted_at is null`.execute(db);
  return [...faults, ...alive.rows.map(({ id }) => `the deleted account ${id} is there`)];
}

const ORDER = ['queued', 'running', 'succeeded', 'failed', 'canceled'];

/** Event ids without gaps, statuses in order with one end, and no stream that went back or skipped an event. */
async function findEventFaults({ database: { db } }: World, traffic: Traffic): Promise<string[]> {
  const gaps = await sql<{ fault: string }>`
    select 'the events of ' || u.id || ' are ' || count(e.*) || ' of ' || u.event_seq as fault
    from users u left join user_events e on e.user_id = u.id
    where u.deleted_at is null group by u.id having count(e.*) <> u.event_seq`.execute(db);
  const faults = gaps.rows.map(({ fault }) => fault);
  const reported = await sql<{ id: string; statuses: string[] }>`
    select body ->> 'id' as id, array_agg(body ->> 'status' || case when (body -> 'refunded')::boolean then ' refunded' else '' end order by seq) as statuses
    from user_events where name = 'generation' group by body ->> 'id'`.execute(db);
  for (const { id, statuses } of reported.rows) {
    const places = statuses.map((status) => Math.min(2, ORDER.indexOf(status.split(' ')[0] ?? '')));
    const isOrdered = places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0));
    // A returned result is announced once more, as returned.
    const ends = statuses.filter((_status, at) => places[at] === 2);
    const isReturn = ends.length === 2 && ends[0] === 'succeeded' && ends[1] === 'succeeded refunded';
    if (!isOrdered || (ends.length !== 1 && !isReturn))
      faults.push(`generation ${id} was told as ${statuses.join(', ')}`);
  }
  for (const { userId, ids, isBroken } of traffic.events) {
    const hasGap = ids.some((id, at) => at > 0 && id !== (ids[at - 1] ?? 0) + 1);
    if (hasGap && !isBroken) faults.push(`a stream of ${userId} told ${ids.join(' ')}`);
  }
  return faults;
}

/** A paid provider received at most one request per accepted generation. */
function findRepeatedRequests({ provider, isPaid }: World, { prompts }: Traffic): string[] {
  if (!isPaid) return [];
  const counts = new Map(prompts.map((prompt) => [prompt, 0]));
  for (const { input } of provider.submits)
    for (const prompt of prompts)
      if (JSON.stringify(input).includes(prompt)) counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([prompt, count]) => `asked ${count} times: ${prompt}`);
}

function findLoggedFaults(world: World): string[] {
  const lines = world.written().split('\n');
  return lines.flatMap((line, at) => {
    // A fatal error is logged in several lines.
    if (/^\s*throw |^Uncaught|UnhandledPromise/.test(line)) return [`ended: ${lines.slice(at, at + 12).join(' ')}`];
    return line.includes('"unexpected error"') ? [`logged: ${line.slice(0, 800)}`] : [];
  });
}

/** Objects left by crashes are found and deleted; nothing else is left. */
async function sweepOrphans({ library }: World): Promise<string[]> {
  const later = { ...library, clock: { now: () => new Date(Date.now() + 7_200_000) } };
  const log = createLog('fatal');
  for (let sweeps = 0; sweeps < 40; sweeps += 1) if ((await removeOrphans(later, log)) === 0) return [];
  return ['files without a row are left after 40 sweeps'];
}
