import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../server/src/commands/migrate.ts';
import { startEmbeddedPostgres } from '../server/src/platform/machine/embedded-postgres.ts';
import { type Ceiling, type Ceilings, makePhoto, openCeilings } from './ceilings.ts';
import { giveCredit, openDatabaseOf, openStreams } from './event-streams.ts';
import { startFakeFal } from './fake-fal.ts';
import { type Form, hasAny, makeForm, submitGeneration, waitUntilIdle } from './generations.ts';
import { type Ask, expectStatus, openConnections, type Round, runRound } from './http-load.ts';
import { type Person, type Product, signUp, startProduct } from './product.ts';
import { openPurchases, sendMessage, signPayment } from './purchases.ts';
import { type Row, rowOfRounds, rowOfShare, logProgress } from './table.ts';

/** The product's rates as shares of the machine's maximum rates. */

const ROUNDS = 3;
const READERS = 20;
const READ_SECONDS = 2;
const WRITERS = 8;
const GENERATIONS = 60; // in a round
const WARMUP_ROUNDS = 4;
const WEBHOOKS = 1000; // in a round
const STREAMS = 200;
const STEADY_GAP_MS = 20; // 50 commits per second

type Photos = Record<'photo' | 'large photo', string>;

/** Measures each figure of the product as a share of one of this machine's ceilings. */
export async function measureShares(): Promise<Row[]> {
  const photos: Photos = { photo: join(tmpdir(), 'photo.jpg'), 'large photo': join(tmpdir(), 'large.jpg') };
  writeFileSync(photos.photo, await makePhoto(1600, 1200));
  writeFileSync(photos['large photo'], await makePhoto(8000, 6000));
  const { ceilings, close } = await openCeilings(photos);
  try {
    const figures = [...(await measureWithEngine(ceilings)), ...(await measureWithFakeFal(ceilings, photos))];
    const most = Object.values(ceilings).map(({ name, what, rounds }) => rowOfRounds(`Ceiling ${name}`, what, rounds));
    return [...figures, ...most];
  } finally {
    await close();
  }
}

async function repeat<Result>(rounds: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await run());
  return results;
}

type Figure = { what: string; how: string; ceiling: Ceiling; goal: number; round: () => Promise<Round> };

/** Measures a row and prints it immediately, so that an aborted run has partial results. */
async function sayShare({ what, how, ceiling, goal, round }: Figure): Promise<Row> {
  const pairs = await repeat(ROUNDS, async () => ({ most: await ceiling.round(), reached: await round() }));
  const row = rowOfShare(what, how, pairs, ceiling, goal);
  logProgress(`${row.what}: ${row.perSecond} a second, ${row.share ?? ''}`);
  return row;
}

type Reads = { path: string; what: string; ceiling: Ceiling; goal: number; headers?: Record<string, string> };

async function measureReads(product: Product, people: Person[], reads: Reads): Promise<Row> {
  const { path, what, ceiling, goal } = reads;
  logProgress(what);
  const { ask, close } = openConnections(READERS);
  const send = async (line: number) => {
    const headers = { cookie: people[line % people.length]?.cookie ?? '', ...reads.headers };
    expectStatus(await ask(product.url + path, { headers }), 200, path);
  };
  const round = (seconds: number) => runRound({ connections: READERS, seconds, most: Infinity, send });
  await round(1);
  const how = `${READERS} connections, ${READ_SECONDS} s`;
  const row = await sayShare({ what, how, ceiling, goal, round: () => round(READ_SECONDS) });
  close();
  return row;
}

async function measureWebhooks(ask: Ask, product: Product, people: Person[], debit: Ceiling): Promise<Row> {
  logProgress('webhooks');
  const round = async () => {
    const messages = (await openPurchases(ask, product, people, WEBHOOKS)).map(signPayment);
    return runRound({
      connections: WRITERS,
      seconds: 10,
      most: WEBHOOKS,
      send: async (_, index) => {
        const message = messages[index];
        if (message !== undefined) await sendMessage(ask, product, message);
      },
    });
  };
  // Warm-up: product and ceiling server still compile their code.
  await round();
  const how = `${WRITERS} connections, ${WEBHOOKS} purchases`;
  return sayShare({ what: 'POST /webhooks/sandbox, each pays', how, ceiling: debit, goal: 15, round });
}

async function measureEvents(ask: Ask, product: Product, people: Person[]): Promise<Row[]> {
  logProgress('events');
  const streams = await openStreams(product, people);
  const database = openDatabaseOf(product, WRITERS);
  const commit = (gapMs: number) => streams.follow(gapMs, (person, begin) => giveCredit(database, person, begin));
  const steady = await repeat(ROUNDS, () => commit(STEADY_GAP_MS));
  const burst = await repeat(ROUNDS, () => commit(0));
  const requests = await repeat(ROUNDS, async () => {
    const messages = (await openPurchases(ask, product, people, people.length)).map(signPayment);
    return streams.follow(STEADY_GAP_MS, async (_, begin, index) => {
      const message = messages[index];
      begin();
      if (message !== undefined) await sendMessage(ask, product, message);
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

/** Measures the product with its engine, which is idle here. */
async function measureWithEngine({ bare, reads, debit, hash }: Ceilings): Promise<Row[]> {
  logProgress('starting the product with its engine');
  const product = await startProduct();
  const { ask, close } = openConnections(WRITERS);
  logProgress(`signing ${STREAMS} people up`);
  const people = await signUp(ask, product, STREAMS);
  const compressed = { cookie: '', 'accept-encoding': 'br' };
  const pages = [
    await measureReads(product, people, { path: '/', what: 'GET /', ceiling: bare, goal: 10, headers: compressed }),
    await measureReads(product, people, {
      path: await findScript(ask, product),
      what: 'GET a hashed script',
      ceiling: bare,
      goal: 10,
      headers: compressed,
    }),
  ];
  const credits = await measureReads(product, people, {
    path: '/api/v1/credits',
    what: 'GET /api/v1/credits',
    ceiling: reads,
    goal: 40,
  });
  const signIns = await measureSignIns(ask, product, hash);
  const webhooks = await measureWebhooks(ask, product, people, debit);
  const events = await measureEvents(ask, product, people);
  close();
  await product.stop();
  return [credits, ...pages, webhooks, signIns, ...events];
}

/** Finds the path of the start page's script. */
async function findScript(ask: Ask, product: Product): Promise<string> {
  const { text } = await ask(product.url, { headers: { accept: 'text/html' } });
  return /<script[^>]* src="(\/assets\/[^"]+)"/.exec(text)?.[1] ?? '/favicon.svg';
}

/** Measures repeated sign-ins with a correct password. */
async function measureSignIns(ask: Ask, product: Product, hash: Ceiling): Promise<Row> {
  logProgress('sign-ins');
  const credentials = { email: `${randomUUID()}@example.com`, password: randomUUID() };
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials) };
  expectStatus(await ask(`${product.url}/api/v1/auth/sign-up`, sent), 201, 'the sign-up');
  const send = async () => void expectStatus(await ask(`${product.url}/api/v1/auth/sign-in`, sent), 200, 'the sign-in');
  const round = () => runRound({ connections: WRITERS, seconds: 10, most: GENERATIONS, send });
  const how = `${WRITERS} connections, ${GENERATIONS} requests`;
  return sayShare({ what: 'POST /api/v1/auth/sign-in', how, ceiling: hash, goal: 80, round });
}

type Submits = {
  form: Form;
  what: string;
  connections: number;
  most: number;
  ceiling: Ceiling;
  /** False if no worker processes the accepted generations. */
  hasWorkers: boolean;
};

async function measureGenerations(ask: Ask, product: Product, people: Person[], submits: Submits): Promise<Row> {
  const { form, what, connections, ceiling, hasWorkers } = submits;
  logProgress(what);
  const round = async (most: number) => {
    const send = async (line: number) => {
      const person = people[line];
      if (person !== undefined) await submitGeneration(ask, product, person, form);
    };
    const measured = await runRound({ connections, seconds: 20, most, send });
    if (hasWorkers) await waitUntilIdle(ask, product, people, 30);
    return measured;
  };
  // Warm-up, as with webhooks.
  await round(WARMUP_ROUNDS * submits.most);
  const how = `${connections} connections, ${submits.most} requests`;
  const row = await sayShare({ what, how, ceiling, goal: 70, round: () => round(submits.most) });
  for (const person of people) {
    if (await hasAny(ask, product, person, 'failed')) throw new Error('a generation failed');
  }
  return row;
}

type PhotoSubmits = { ceilings: Ceilings; photos: Photos; where: string; hasWorkers: boolean };

/** Measures photos of both sizes, each as a share of the ceiling for its size. */
async function measurePhotos(ask: Ask, product: Product, people: Person[], submits: PhotoSubmits): Promise<Row[]> {
  const { ceilings, photos, where, hasWorkers } = submits;
  const measure = async (name: keyof Photos, size: string, connections: number, most: number) =>
    measureGenerations(ask, product, people, {
      form: await makeForm(photos[name]),
      what: `POST …/remover/generations → 202, ${size} megapixels${where}`,
      connections,
      most,
      ceiling: ceilings[name],
      hasWorkers,
    });
  return [await measure('photo', '2', WRITERS, GENERATIONS), await measure('large photo', '48', 2, 6)];
}

/** Measures a web process without workers: the cost of accepting generations only. */
async function measureAcceptance(ceilings: Ceilings, photos: Photos): Promise<Row[]> {
  logProgress('starting a web process without workers');
  const postgres = await startEmbeddedPostgres(join(tmpdir(), 'acceptance'), randomUUID());
  await migrate(postgres.url);
  const product = await startProduct({ ROLE: 'web', DATABASE_URL: postgres.url, FAL_KEY: 'x' });
  const { ask, close } = openConnections(WRITERS);
  const people = await signUp(ask, product, WRITERS);
  const rows = await measurePhotos(ask, product, people, {
    ceilings,
    photos,
    where: ', workers elsewhere',
    hasWorkers: false,
  });
  close();
  await product.stop();
  await postgres.stop();
  return rows;
}

/** Measures the product with an instant provider instead of the engine. */
async function measureWithFakeFal(ceilings: Ceilings, photos: Photos): Promise<Row[]> {
  logProgress('starting the product with a provider that answers at once');
  const fal = await startFakeFal();
  const product = await startProduct(fal.settings);
  const { ask, close } = openConnections(WRITERS);
  const people = await signUp(ask, product, WRITERS);
  const made = await measurePhotos(ask, product, people, { ceilings, photos, where: '', hasWorkers: true });
  const media = await measureReads(product, people, {
    path: '/api/v1/media',
    what: 'GET /api/v1/media (a page of 20)',
    ceiling: ceilings.reads,
    goal: 20,
  });
  close();
  await product.stop();
  fal.close();
  return [media, ...made, ...(await measureAcceptance(ceilings, photos))];
}
