import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { productPath } from '../engine/quality/composites.ts';
import { findViolations } from '../server/src/commands/check.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import { openStorage } from '../server/src/platform/data/open-storage.ts';
import { openDatabaseOf } from './event-streams.ts';
import { startFakeFal } from './fake-fal.ts';
import { toForm } from './generations.ts';
import { type Ask, expectStatus, mapConcurrently, openConnections } from './http-load.ts';
import { measureResident, watchMemory } from './memory.ts';
import { type Person, type Product, signUp, startProduct } from './product.ts';
import { type Row, rowOfFigure } from './table.ts';

/**
 * Runs over whole catalogues: with an instant provider, with a kill halfway, as an archive, and with the engine.
 */

const ITEMS = 500;
const ENGINE_ITEMS = 200;
/** The concurrency of the browser's uploads. */
const UPLOADS_AT_ONCE = 4;

type Counts = { queued: number; running: number; succeeded: number; failed: number };

/** Measures 500 items of a megabyte: an uninterrupted run, its archive, and a run with the product killed halfway. */
export async function measureCatalogue(scale: number): Promise<Row[]> {
  const fal = await startFakeFal(0, await makeNoise(800, 600).png().toBuffer());
  const product = await startProduct(fal.settings);
  const { ask, close } = openConnections(UPLOADS_AT_ONCE);
  const [person] = await signUp(ask, product, 1);
  if (person === undefined) throw new Error('nobody signed up');
  const items = Math.ceil(ITEMS * scale);
  const photo = await makeNoise(1600, 1200).jpeg({ quality: 90 }).toBuffer();
  const whole = await runAll(ask, product, person, items, photo);
  const archive = await readArchive(product, person, whole.id);
  const killed = await runAll(ask, product, person, items, photo, () => product.restart('SIGKILL'));
  const violations = await check(product);
  close();
  await product.stop();
  fal.close();
  if (violations.length > 0) throw new Error(`after the kill: ${violations.slice(0, 5).join('; ')}`);
  const how = `photos of ${(photo.byteLength / 1e6).toFixed(1)} MB, ${UPLOADS_AT_ONCE} at a time`;
  const goal = scale === 1 ? ' (goal 60 s)' : '';
  return [
    rowOfFigure(`Run of ${items} items`, `${whole.seconds.toFixed(1)} s${goal}`, how),
    rowOfFigure(
      'The same, killed in the middle',
      `${killed.seconds.toFixed(1)} s, ledger and files agree`,
      'kill -9, started again',
    ),
    rowOfFigure(
      `Archive of ${items} items`,
      `${archive.growthMb} MB more memory (goal 50 MB)`,
      `${archive.megabytes} MB in ${archive.seconds.toFixed(1)} s`,
    ),
  ];
}

/** Measures a run with the built-in engine. */
export async function measureEngineCatalogue(scale: number): Promise<Row[]> {
  const product = await startProduct();
  const { ask, close } = openConnections(UPLOADS_AT_ONCE);
  const [person] = await signUp(ask, product, 1);
  if (person === undefined) throw new Error('nobody signed up');
  const items = Math.ceil(ENGINE_ITEMS * scale);
  const photo = await readFile(productPath('mug'));
  const { result, maxMb } = await watchMemory(product.pid(), () => runAll(ask, product, person, items, photo));
  close();
  await product.stop();
  const perMinute = (items / result.seconds) * 60;
  return [
    rowOfFigure(
      `Run of ${items} with the built-in engine`,
      `${perMinute.toFixed(1)} items a minute`,
      `${result.seconds.toFixed(0)} s, product at most ${maxMb} MB`,
    ),
  ];
}

/** Sends all items and waits for the last result. Calls `disturb` when half of them are sent. */
async function runAll(
  ask: Ask,
  product: Product,
  person: Person,
  items: number,
  photo: Buffer,
  disturb?: () => Promise<void>,
): Promise<{ id: string; seconds: number }> {
  const began = performance.now();
  const headers = { cookie: person.cookie, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ name: 'Bench', tool: 'remover', fields: {}, packs: [] });
  const opened = expectStatus(
    await ask(`${product.url}/api/v1/runs`, { method: 'POST', headers, body }),
    201,
    'the run',
  );
  const { id } = JSON.parse(opened.text) as { id: string };
  const form = await toForm(photo, {});
  let disturbing: Promise<void> | undefined;
  await mapConcurrently(Array<undefined>(items).fill(undefined), UPLOADS_AT_ONCE, async (_, index) => {
    if (disturb !== undefined && index === items >> 1) disturbing = disturb();
    const key = randomUUID();
    const own = { cookie: person.cookie, 'content-type': form.contentType, 'idempotency-key': key };
    // Retries the same request after a lost connection or a temporary error, as the browser does.
    for (;;) {
      await disturbing;
      const sent = { method: 'POST', headers: own, body: form.body };
      const answer = await ask(`${product.url}/api/v1/runs/${id}/items`, sent).catch(() => undefined);
      if (answer?.status === 202) return;
      if (answer !== undefined && ![409, 429, 503].includes(answer.status)) expectStatus(answer, 202, 'the item');
      await sleep(200);
    }
  });
  for (;;) {
    const answer = await ask(`${product.url}/api/v1/runs/${id}`, { headers: { cookie: person.cookie } });
    const { counts } = JSON.parse(expectStatus(answer, 200, 'the run').text) as { counts: Counts };
    if (counts.queued + counts.running === 0) {
      const lost = items - counts.succeeded;
      // After a kill the product does not repeat a possible request to a paid provider, but refunds the item.
      if (lost !== counts.failed || (disturb === undefined && lost > 0))
        throw new Error(`of ${items} items: ${JSON.stringify(counts)}`);
      return { id, seconds: (performance.now() - began) / 1000 };
    }
    await sleep(200);
  }
}

/** Measures how much the product's memory grows while a client downloads the archive. */
async function readArchive(product: Product, person: Person, runId: string) {
  const before = measureResident(product.pid());
  const began = performance.now();
  const { result: bytes, maxMb } = await watchMemory(
    product.pid(),
    () =>
      new Promise<number>((resolve, reject) => {
        get(`${product.url}/api/v1/runs/${runId}/archive`, { headers: { cookie: person.cookie } }, (response) => {
          let sum = 0;
          response.on('data', (chunk: Buffer) => (sum += chunk.byteLength));
          response.on('end', () => (response.statusCode === 200 ? resolve(sum) : reject(new Error('no archive'))));
          response.on('error', reject);
        }).on('error', reject);
      }),
  );
  const seconds = (performance.now() - began) / 1000;
  return { growthMb: Math.max(0, maxMb - Math.round(before / 1e6)), megabytes: (bytes / 1e6).toFixed(1), seconds };
}

/** Checks the product's ledger, results and files against each other, as `admin -- check` does. */
async function check(product: Product): Promise<string[]> {
  const { db, close } = openDatabaseOf(product, 2);
  const storage = await openStorage({ DATA_DIR: product.dataDir });
  const library = { db, storage, clock: systemClock, ttlSeconds: 48 * 3600, maxStorageBytes: undefined };
  const violations = await findViolations(library);
  await close();
  return violations;
}

/** Returns a picture that compresses to about a megabyte, as a photo does. */
function makeNoise(width: number, height: number) {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#808080', noise } });
}
