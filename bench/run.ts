import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureSkills } from '../engine/quality/measure.ts';
import { measureEngineLoad } from './engine-load.ts';
import { giveCredit, openDatabaseOf, openStreams } from './event-streams.ts';
import { startFakeFal } from './fake-fal.ts';
import { type Form, hasAny, makeForm, submitGeneration, waitUntilIdle } from './generations.ts';
import { type Ask, expectStatus, openConnections, runRound } from './http-load.ts';
import { type Person, type Product, signUp, startProduct, stopAll } from './product.ts';
import { openPurchases, payPurchase } from './purchases.ts';
import { readMachine, type Row, renderTable, rowOfRounds, rowOfSkill } from './table.ts';

/**
 * npm run bench: measures the product from outside and prints one table; `npm run bench -- product` or `-- engine`
 * measures one half. Loopback only, at most twelve minutes.
 */

const LIMIT_SECONDS = 720;
const ROUNDS = 5;
const READERS = 20;
const READ_SECONDS = 2;
const WRITERS = 8;
const GENERATIONS = 60; // in a round
const WEBHOOKS = 160; // in a round
const STREAMS = 200;
const STEADY_GAP_MS = 20; // 50 commits per second

const startedAt = performance.now();
const secondsLeft = () => LIMIT_SECONDS - (performance.now() - startedAt) / 1000;
const say = (text: string) => console.error(`${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${text}`);

async function repeat<Result>(rounds: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await run());
  return results;
}

async function measureReads(product: Product, people: Person[], path: string, what: string): Promise<Row> {
  say(what);
  const { ask, close } = openConnections(READERS);
  const send = async (line: number) => {
    const headers = { cookie: people[line % people.length]?.cookie ?? '' };
    expectStatus(await ask(product.url + path, { headers }), 200, path);
  };
  const round = (seconds: number) => runRound({ connections: READERS, seconds, most: Infinity, send });
  await round(1);
  const rounds = await repeat(ROUNDS, () => round(READ_SECONDS));
  close();
  return rowOfRounds(what, `${READERS} connections, ${READ_SECONDS} s`, rounds);
}

async function measureWebhooks(ask: Ask, product: Product, people: Person[]): Promise<Row> {
  say('webhooks');
  const rounds = await repeat(ROUNDS, async () => {
    const purchases = await openPurchases(ask, product, people, WEBHOOKS);
    return runRound({
      connections: WRITERS,
      seconds: 10,
      most: WEBHOOKS,
      send: async (_, index) => {
        const purchase = purchases[index];
        if (purchase !== undefined) await payPurchase(ask, product, purchase);
      },
    });
  });
  return rowOfRounds('POST /webhooks/sandbox, each pays', `${WRITERS} connections, ${WEBHOOKS} purchases`, rounds);
}

async function measureEvents(ask: Ask, product: Product, people: Person[]): Promise<Row[]> {
  say('events');
  const streams = await openStreams(product, people);
  const database = openDatabaseOf(product, WRITERS);
  const commit = (gapMs: number) => streams.follow(gapMs, (person, begin) => giveCredit(database, person, begin));
  const steady = await repeat(ROUNDS, () => commit(STEADY_GAP_MS));
  const burst = await repeat(ROUNDS, () => commit(0));
  const requests = await repeat(ROUNDS, async () => {
    const purchases = await openPurchases(ask, product, people, people.length);
    return streams.follow(STEADY_GAP_MS, async (_, begin, index) => {
      const purchase = purchases[index];
      begin();
      if (purchase !== undefined) await payPurchase(ask, product, purchase);
    });
  });
  streams.close();
  await database.close();
  const pace = `${people.length} streams, ${1000 / STEADY_GAP_MS} a second`;
  const atOnce = `${people.length} streams, all over ${WRITERS} database connections`;
  return [
    rowOfRounds('Event: COMMIT sent to arrival', pace, steady),
    rowOfRounds('Event: COMMIT sent to arrival', atOnce, burst),
    rowOfRounds('Event: webhook sent to arrival', pace, requests),
  ];
}

/** The product with its engine beside it, which has nothing to do here. */
async function measureWithEngine(): Promise<Row[]> {
  say('starting the product with its engine');
  const product = await startProduct();
  const { ask, close } = openConnections(WRITERS);
  say(`signing ${STREAMS} people up`);
  const people = await signUp(ask, product, STREAMS);
  const credits = await measureReads(product, people, '/api/v1/credits', 'GET /api/v1/credits');
  const webhooks = await measureWebhooks(ask, product, people);
  const events = await measureEvents(ask, product, people);
  close();
  await product.stop();
  return [credits, webhooks, ...events];
}

async function measureGenerations(ask: Ask, product: Product, people: Person[], form: Form): Promise<Row> {
  say('generations');
  const round = async (most: number) => {
    const send = async (line: number) => {
      const person = people[line];
      if (person !== undefined) await submitGeneration(ask, product, person, form);
    };
    const measured = await runRound({ connections: WRITERS, seconds: 10, most, send });
    await waitUntilIdle(ask, product, people, 30);
    return measured;
  };
  await round(WRITERS);
  const rounds = await repeat(ROUNDS, () => round(GENERATIONS));
  for (const person of people) {
    if (await hasAny(ask, product, person, 'failed')) throw new Error('a generation failed');
  }
  return rowOfRounds('POST …/remover/generations → 202', `${WRITERS} connections, ${GENERATIONS} requests`, rounds);
}

/** The product with a provider that answers at once, so that the engine takes no part. */
async function measureWithFakeFal(): Promise<Row[]> {
  say('starting the product with a provider that answers at once');
  const fal = await startFakeFal();
  const product = await startProduct(fal.settings);
  const { ask, close } = openConnections(WRITERS);
  const people = await signUp(ask, product, WRITERS);
  const generations = await measureGenerations(ask, product, people, await makeForm());
  const media = await measureReads(product, people, '/api/v1/media', 'GET /api/v1/media (a page of 20)');
  close();
  await product.stop();
  fal.close();
  return [media, generations];
}

/** Each skill at two sizes, with nothing else of ours running; given up when the time is over. */
async function measureEngine(): Promise<Row[]> {
  say('engine');
  const late = sleep(secondsLeft() * 1000, undefined, { ref: false });
  const measured = await Promise.race([measureSkills(), late]);
  const none: Row = { what: 'Engine', how: 'not measured: no time left', perSecond: '', p50: '', p99: '' };
  return measured === undefined ? [none] : measured.map(rowOfSkill);
}

let ending = false;

async function end(exitCode: number): Promise<void> {
  if (ending) return;
  ending = true;
  await stopAll().catch((error: unknown) => console.error(error));
  // A product that was stopped in its first seconds leaves an initdb behind, which writes for a moment more.
  for (let tries = 0; tries < 10 && existsSync(folder); tries += 1) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    await sleep(200);
  }
  process.exit(exitCode);
}

// All temporary folders, the engine's too, lie in this one.
const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-'));
process.env.TMPDIR = folder;
process.once('SIGINT', () => void end(130));
process.once('SIGTERM', () => void end(143));
setTimeout(
  () => {
    say('no time left');
    void end(1);
  },
  (LIMIT_SECONDS + 5) * 1000,
).unref();
try {
  const machine = readMachine();
  const [half] = process.argv.slice(2);
  const rows: Row[] = [];
  if (half !== 'engine') rows.push(...(await measureWithEngine()), ...(await measureWithFakeFal()));
  if (half !== 'product') rows.push(...(await measureEngineLoad()), ...(await measureEngine()));
  console.log(renderTable(rows, machine, (performance.now() - startedAt) / 1000));
  await end(0);
} catch (error) {
  if (!ending) console.error(error);
  await end(1);
}
