import { setTimeout as sleep } from 'node:timers/promises';
import { makePhoto } from './ceilings.ts';
import { startFakeFal } from './fake-fal.ts';
import { countDone, type Form, submitGeneration, toForm, tryGeneration, waitUntilIdle } from './generations.ts';
import { type Ask, expectStatus, openConnections, runRound, summarize } from './http-load.ts';
import { watchMemory } from './memory.ts';
import { type Person, type Product, signUp, startProduct } from './product.ts';
import { type Row, rowOfFigure } from './table.ts';

/** More work than the product can do at once: with a slow provider, over restarts, and in overload. */

const PEOPLE = 8;

type Setup = { product: Product; ask: Ask; people: Person[]; close: () => Promise<void> };

async function setUp(providerSeconds: number, connections: number, settings = {}): Promise<Setup> {
  const fal = await startFakeFal(providerSeconds);
  const product = await startProduct({ ...fal.settings, ...settings });
  const { ask, close } = openConnections(connections);
  const people = await signUp(ask, product, PEOPLE);
  return {
    product,
    ask,
    people,
    close: async () => {
      close();
      await product.stop();
      fal.close();
    },
  };
}

const submitAll = ({ ask, product, people }: Setup, form: Form, most: number) =>
  runRound({
    connections: PEOPLE,
    seconds: Infinity,
    most,
    send: (line) => submitGeneration(ask, product, people[line] as Person, form),
  });

/** Measures the process's memory with photos of 48 megapixels, two at a time. */
export async function measureLargePhotos(): Promise<Row[]> {
  const setup = await setUp(0, 2);
  const form = await toForm(await makePhoto(8000, 6000), {});
  const { ask, product, people } = setup;
  const send = (line: number) => submitGeneration(ask, product, people[line] as Person, form);
  const { result, firstMb, maxMb } = await watchMemory(product.pid(), () =>
    runRound({ connections: 2, seconds: Infinity, most: 6, send }),
  );
  await setup.close();
  const figure = `${maxMb} MB (goal 900 MB), ${firstMb} before`;
  return [rowOfFigure('Memory with 48 megapixels', figure, '2 connections, 6 requests', result)];
}

const IN_FLIGHT = 200;
const PROVIDER_SECONDS = 5;
const SLOTS = 20;

/** Measures many concurrent generations with a slow provider. */
export async function measureInFlight(scale: number): Promise<Row[]> {
  const setup = await setUp(PROVIDER_SECONDS, PEOPLE);
  const most = Math.ceil(IN_FLIGHT * scale);
  const began = performance.now();
  const accepted = await submitAll(setup, await toForm(await makePhoto(1600, 1200), {}), most);
  await waitUntilIdle(setup.ask, setup.product, setup.people, 600);
  const seconds = (performance.now() - began) / 1000;
  const done = await countDone(setup.product);
  await setup.close();
  if (done !== most) throw new Error(`${done} of ${most} came back`);
  const least = (Math.ceil(most / SLOTS) * PROVIDER_SECONDS).toFixed(0);
  const what = `${most} in flight, provider takes ${PROVIDER_SECONDS} s`;
  return [
    rowOfFigure(what, `all done in ${seconds.toFixed(0)} s (${SLOTS} at a time: ${least} s)`, '202 for each', accepted),
  ];
}

const BACKLOG = 1000;
const RESTARTS = 3;

/** Measures a backlog that the product works off over several restarts. */
export async function measureBacklog(scale: number): Promise<Row[]> {
  const setup = await setUp(1, PEOPLE);
  const { ask, product, people } = setup;
  const most = Math.ceil(BACKLOG * scale);
  const began = performance.now();
  const accepted = await submitAll(setup, await toForm(await makePhoto(320, 240), {}), most);
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    while ((await countDone(product)) < (most * restart) / (RESTARTS + 1)) await sleep(500);
    await product.restart('SIGTERM');
  }
  await waitUntilIdle(ask, product, people, 600);
  const seconds = (performance.now() - began) / 1000;
  const done = await countDone(product);
  await setup.close();
  if (done !== most) throw new Error(`${done} of ${most} came back`);
  return [
    rowOfFigure(
      `Backlog of ${most} over ${RESTARTS} restarts`,
      `all done in ${seconds.toFixed(0)} s`,
      '202 for each',
      accepted,
    ),
  ];
}

const CALM_SECONDS = 5;
const STORM_SECONDS = 10;
const CALM_MS = 50;

/** Measures three times the photos that the product can accept, in an open loop, and its recovery. */
export async function measureOverload(): Promise<Row[]> {
  const setup = await setUp(0, Infinity, { MAX_INFLIGHT_PER_USER: '100000' });
  const { ask, product, people } = setup;
  const form = await toForm(await makePhoto(1600, 1200), {});
  const send = (line: number) => submitGeneration(ask, product, people[line] as Person, form);
  const sendFor = (seconds: number) => runRound({ connections: PEOPLE, seconds, most: Infinity, send });
  // Warm-up: a cold product's rate is too low, so three times that rate would be no overload.
  await sendFor(CALM_SECONDS);
  const calm = await sendFor(CALM_SECONDS);
  await waitUntilIdle(ask, product, people, 120);
  const perSecond = 3 * calm.perSecond;
  const answers: Promise<{ status: number; ms: number }>[] = [];
  const began = performance.now();
  for (let index = 0; index < perSecond * STORM_SECONDS; index += 1) {
    answers.push(tryGeneration(ask, product, people[index % PEOPLE] as Person, form));
    // Absolute times: a delayed generator catches up.
    await sleep(began + ((index + 1) * 1000) / perSecond - performance.now());
  }
  const all = await Promise.all(answers);
  const accepted = all.filter(({ status }) => status === 202);
  const refused = all.filter(({ status }) => status === 429 || status === 503);
  const others = all.length - accepted.length - refused.length;
  const recoveryMs = await waitForCalm(setup);
  await setup.close();
  const counts = `${accepted.length} accepted, ${refused.length} refused (429, 503), ${others} others`;
  const how = `${perSecond.toFixed(0)} a second for ${STORM_SECONDS} s`;
  return [
    rowOfFigure(
      'Three times overload',
      `${counts} (goal: no others, p99 2 s)`,
      how,
      summarize(accepted.map(({ ms }) => ms)),
    ),
    rowOfFigure(
      'Calm after it',
      `${(recoveryMs / 1000).toFixed(1)} s (goal 10 s)`,
      `credits below ${CALM_MS} ms ten times running`,
    ),
  ];
}

async function waitForCalm({ ask, product, people }: Setup): Promise<number> {
  const began = performance.now();
  for (let running = 0; running < 10;) {
    const askedAt = performance.now();
    const headers = { cookie: people[0]?.cookie ?? '' };
    expectStatus(await ask(`${product.url}/api/v1/credits`, { headers }), 200, 'the credits');
    running = performance.now() - askedAt < CALM_MS ? running + 1 : 0;
    if (performance.now() - began > 120_000) throw new Error('not calm in two minutes');
  }
  return performance.now() - began;
}

const SAMPLE_MS = 2000;

/**
 * Loads the product to a fifth of its capacity for these minutes: credits, history and sequential generations. Growth
 * compares the median of the last quarter with that of the second, after every code path has run.
 */
export async function measureSoak(minutes: number): Promise<Row[]> {
  const setup = await setUp(0, PEOPLE);
  const { ask, product, people } = setup;
  const form = await toForm(await makePhoto(1600, 1200), {});
  const samples: number[] = [];
  const end = performance.now() + minutes * 60_000;
  const sampler = setInterval(() => samples.push(product.resident()), SAMPLE_MS);
  const times: number[] = [];
  const person = people[0] as Person;
  while (performance.now() < end) {
    const askedAt = performance.now();
    await submitGeneration(ask, product, person, form);
    for (const path of ['credits', 'media', 'generations'])
      for (let time = 0; time < 10; time += 1) {
        const headers = { cookie: people[time % PEOPLE]?.cookie ?? '' };
        expectStatus(await ask(`${product.url}/api/v1/${path}`, { headers }), 200, path);
      }
    const took = performance.now() - askedAt;
    times.push(took);
    await sleep(4 * took);
  }
  clearInterval(sampler);
  await setup.close();
  const quarter = Math.floor(samples.length / 4);
  const [before, after] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map(medianMb);
  const growth = (100 * ((after ?? NaN) - (before ?? NaN))) / (before ?? NaN);
  const figure = `${growth.toFixed(1)} % (goal 10 %): ${before} to ${after} MB`;
  return [
    rowOfFigure(
      `Memory growth in ${minutes} minutes`,
      figure,
      `a fifth of the time at work, ${times.length} generations`,
      summarize(times),
    ),
  ];
}

const medianMb = (bytes: number[]) => Math.round((bytes.toSorted((a, b) => a - b)[bytes.length >> 1] ?? NaN) / 1e6);
