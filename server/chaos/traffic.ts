import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from '@plinth/contract/generations';
import type { Purchase } from '@plinth/contract/payments';
import { adjustCredits } from '../src/credits/ledger.ts';
import { transaction } from '../src/platform/data/db.ts';
import { getSandboxOrder, signSandboxMessage } from '../src/payments/sandbox.ts';
import { makePicture, makeUser, signedIn, type TestUser } from '../test/makers.ts';
import type { Random } from './random.ts';
import { SANDBOX_SECRET, type World } from './world.ts';

/** Actions of users and a payment company during the faults, and the responses they received. */
export type Traffic = {
  users: TestUser[];
  /** Accepted generations by idempotency key. */
  accepted: Map<string, Set<string>>;
  /** Purchases whose payment was acknowledged. */
  paid: Set<string>;
  /** Users who deleted their account. */
  gone: Set<string>;
  /** Responses that must never occur. */
  faults: string[];
  /** Texts of every generation request that reached the product. */
  prompts: string[];
  events: ReceivedEvents[];
};
type ReceivedEvents = { userId: string; ids: number[]; isBroken: boolean };

type Scenario = (path: string, init?: RequestInit) => Promise<Response | undefined>;

const EXPECTED_STATUSES = new Set([200, 201, 202, 204, 400, 401, 402, 404, 409, 422, 429, 503, 507]);
// The longest idle timeout is half a minute; the other half is for a busy machine.
const PATIENCE_MS = 60_000;

/** Ensures users with some credits, replacing only those who left. Called while nothing is broken. */
export async function makeTraffic(world: World, count: number): Promise<Traffic> {
  const url = urlOf(world, 0);
  const { db } = world.database;
  while (world.people.length < count) world.people.push(await makeUser({ url, db }, { credits: 1 }));
  const users = world.people.slice(0, count).map((person) => signedIn({ url }, person));
  for (const [at, { id: userId }] of users.entries())
    await transaction(db, (tx) => adjustCredits(tx, { userId, credits: 1 + (at % 3), note: 'for the chaos' }));
  return { users, accepted: new Map(), paid: new Set(), gone: new Set(), faults: [], prompts: [], events: [] };
}

const webs = (world: World) => world.members.filter(({ role }) => role === 'web');
const urlOf = (world: World, at: number) => webs(world)[at % 2]?.product.url ?? '';

/** Every user does something, all at once. */
export async function makeNoise(world: World, traffic: Traffic, random: Random): Promise<void> {
  const streams = new AbortController();
  const work: Promise<unknown>[] = [];
  for (const user of traffic.users) {
    const scenario = makeScenario(world, traffic, user, random);
    void follow(world, traffic, user, streams.signal);
    for (let count = 1 + random.below(3); count > 0; count -= 1) work.push(generate(traffic, scenario, random));
    if (random.below(2) === 0) work.push(buy(world, traffic, scenario, random));
    if (random.below(8) === 0) work.push(leave(world, traffic, user, scenario, random));
  }
  await Promise.all(work);
  streams.abort();
}

/** Sends a request to one of the two web processes; undefined without a response. */
function makeScenario(world: World, traffic: Traffic, user: TestUser, random: Random): Scenario {
  return async (path, init = {}) => {
    const asked = {
      ...init,
      headers: { cookie: user.cookie, ...init.headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
    };
    try {
      const answer = await fetch(urlOf(world, random.below(2)) + path, asked);
      if (!EXPECTED_STATUSES.has(answer.status))
        traffic.faults.push(`${init.method ?? 'GET'} ${path} was answered ${answer.status}`);
      return answer;
    } catch (error) {
      if ((error as Error).name === 'TimeoutError')
        traffic.faults.push(`${path} was not answered in ${PATIENCE_MS} ms`);
      return undefined;
    }
  };
}

/** Requests a generation two or three times with one key, and then with changed input. */
async function generate(traffic: Traffic, scenario: Scenario, random: Random): Promise<void> {
  await sleep(random.below(900));
  const key = randomUUID();
  const prompt = `on a table ${key}`;
  const image = await makePicture();
  traffic.prompts.push(prompt);
  const send = () => {
    const form = new FormData();
    form.set('image', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'photo.jpg');
    form.set('prompt', prompt);
    return post(scenario, '/api/v1/tools/text-to-image/generations', form, key);
  };
  const answers = await Promise.all(Array.from({ length: 1 + random.below(3) }, send));
  // Without a response the request is repeated with the same key.
  if (answers.every((answer) => answer === undefined || answer.status >= 500)) answers.push(await send());
  const ids = await keepAccepted(traffic, key, answers);
  const id = ids[0];
  if (id === undefined) return;
  await sleep(random.below(700));
  await random.pick([cancel, cancel, again, giveUp, remove, look, look])(traffic, scenario, id, random);
}

async function keepAccepted(traffic: Traffic, key: string, answers: (Response | undefined)[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const answer of answers) {
    const body = (await answer?.json().catch(() => ({}))) as Partial<Generation> | undefined;
    if (answer?.status === 202 && body?.id !== undefined) ids.add(body.id);
  }
  if (ids.size > 0) traffic.accepted.set(key, ids);
  return [...ids];
}

const post = (scenario: Scenario, path: string, body?: FormData | object, key?: string) =>
  scenario(path, {
    method: 'POST',
    headers: {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });

type Action = (traffic: Traffic, scenario: Scenario, id: string, random: Random) => Promise<unknown>;

const cancel: Action = (_traffic, scenario, id) =>
  Promise.all([1, 2].map(() => post(scenario, `/api/v1/generations/${id}/cancel`)));
const look: Action = (_traffic, scenario, id) => scenario(`/api/v1/generations/${id}`);

/** Waits for the end, long enough for a machine under load. */
async function waitForEnd(scenario: Scenario, id: string): Promise<Generation | undefined> {
  for (let tries = 0; tries < 15; tries += 1) {
    const answer = await scenario(`/api/v1/generations/${id}`);
    const found = (await answer?.json().catch(() => undefined)) as Generation | undefined;
    if (answer?.status === 200 && found?.finishedAt !== null) return found;
    await sleep(100);
  }
  return undefined;
}

const again: Action = async (traffic, scenario, id, random) => {
  await waitForEnd(scenario, id);
  const keys = Array.from({ length: 1 + random.below(3) }, () => randomUUID());
  await Promise.all(
    keys.map(async (key) => {
      const prompt = `once more ${key}`;
      traffic.prompts.push(prompt);
      const answers = await Promise.all(
        [1, 2].map(() => post(scenario, `/api/v1/generations/${id}/redo`, { prompt }, key)),
      );
      await keepAccepted(traffic, key, answers);
    }),
  );
};

const giveUp: Action = async (_traffic, scenario, id) => {
  await waitForEnd(scenario, id);
  await Promise.all([1, 2, 3].map(() => post(scenario, `/api/v1/generations/${id}/return`, { reason: 'scene' })));
};

const remove: Action = async (_traffic, scenario, id) => {
  const mediaId = (await waitForEnd(scenario, id))?.result?.mediaId;
  await Promise.all([1, 2].map(() => scenario(`/api/v1/media/${mediaId ?? 'med_none'}`, { method: 'DELETE' })));
};

/** Buys, and the payment company repeats its webhook until it is acknowledged. */
async function buy(world: World, traffic: Traffic, scenario: Scenario, random: Random): Promise<void> {
  await sleep(random.below(700));
  const answer = await post(
    scenario,
    '/api/v1/purchases',
    { package: random.pick(['basic', 'standard']) },
    randomUUID(),
  );
  if (answer?.status !== 201) return;
  const { id, checkoutUrl } = (await answer.json()) as Purchase;
  const order = await getSandboxOrder(world.database.db, checkoutUrl?.split('/').at(-1) ?? '').catch(() => undefined);
  if (order === undefined) return;
  const message = signSandboxMessage(SANDBOX_SECRET, 'payment.succeeded', order, new Date());
  const tell = () => scenario('/webhooks/sandbox', { method: 'POST', headers: message.headers, body: message.payload });
  for (let tries = 0; tries < 3 && !traffic.paid.has(id); tries += 1) {
    const answers = await Promise.all([1, 2, 3].map(tell));
    if (answers.some((one) => one?.status === 200)) traffic.paid.add(id);
    else await sleep(300);
  }
}

async function leave(
  world: World,
  traffic: Traffic,
  user: TestUser,
  scenario: Scenario,
  random: Random,
): Promise<void> {
  await sleep(400 + random.below(600));
  // With a lost response the account may be deleted or not: it is not used again.
  world.people = world.people.filter(({ id }) => id !== user.id);
  const headers = { 'content-type': 'application/json' };
  const answer = await scenario('/api/v1/account', {
    method: 'DELETE',
    headers,
    body: JSON.stringify({ password: user.password }),
  });
  if (answer?.status === 204) traffic.gone.add(user.id);
}

/** Follows the live events and resumes after a lost connection. */
async function follow(world: World, traffic: Traffic, user: TestUser, signal: AbortSignal): Promise<void> {
  const received: ReceivedEvents = { userId: user.id, ids: [], isBroken: false };
  traffic.events.push(received);
  for (let at = 0; !signal.aborted; at += 1) {
    try {
      const last = received.ids.at(-1);
      const headers = { cookie: user.cookie, ...(last !== undefined && { 'last-event-id': String(last) }) };
      const answer = await fetch(`${urlOf(world, at)}/api/v1/events`, { headers, signal });
      if (answer.status !== 200) throw new Error(String(answer.status));
      const decoder = new TextDecoder();
      let rest = '';
      for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
        rest += decoder.decode(chunk, { stream: true });
        const blocks = rest.split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) keepEvent(received, block);
      }
    } catch {
      await sleep(100);
    }
  }
}

function keepEvent(received: ReceivedEvents, block: string): void {
  if (/^event: resync/m.test(block)) received.isBroken = true;
  // The first and the last message have the newest event's id, which may have been sent before.
  const id = /^id: (\d+)$/m.exec(block)?.[1];
  if (id !== undefined && !/^event: (hello|session|resync)$/m.test(block)) received.ids.push(Number(id));
}
