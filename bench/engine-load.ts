import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/src/platform/machine/ports.ts';
import { makeVideoForm, submitGeneration } from './generations.ts';
import { expectStatus, openConnections, runRound, type Ask } from './http-load.ts';
import { type Person, type Product, signUp, startProduct } from './product.ts';
import { type Row, rowOfFigure } from './table.ts';

/** The engine's load on the rest: its memory, the API's latency, and the time to free a worker. */

const TOOL = 'image-to-video';
const IDLE_MS = 5000;
const READ_SECONDS = 8;
const MAX_IDLE_MB = 250;
const MAX_BUSY_MB = 1536;

/** Measures API reads during two concurrent premium videos, then the cancellation of running videos. */
export async function measureEngineLoad(): Promise<Row[]> {
  const metricsPort = await freePort();
  const product = await startProduct({ METRICS_PORT: String(metricsPort), PUBLIC_ORIGIN: '' });
  const { ask, close } = openConnections(4);
  try {
    const people = await signUp(ask, product, 2);
    await sleep(IDLE_MS);
    const idleBytes = measureEngineBytes(product);
    const form = await makeVideoForm();
    for (const person of people) await submitGeneration(ask, product, person, form, TOOL);
    await untilRunning(ask, product, people);
    const memory = watchEngine(product);
    const [person] = people;
    const headers = { cookie: person?.cookie ?? '' };
    const send = async () =>
      void expectStatus(await ask(`${product.url}/api/v1/credits`, { headers }), 200, 'the credits');
    const reads = await runRound({ connections: 1, seconds: READ_SECONDS, most: Infinity, send });
    const lagMs = await readLagMs(ask, metricsPort);
    const busyBytes = memory.stop();
    const cancelMs = await measureCancel(ask, product, people);
    return [
      rowOfFigure('Engine idle, with its warm workers', `${megabytes(idleBytes)} MB (goal ${MAX_IDLE_MB} MB)`, ''),
      rowOfFigure('Engine with two premium videos', `at most ${megabytes(busyBytes)} MB (goal ${MAX_BUSY_MB} MB)`, ''),
      rowOfFigure('GET /api/v1/credits beside them', '', `1 connection, ${READ_SECONDS} s`, reads),
      rowOfFigure('Event loop of the product beside them', `p99 ${lagMs.toFixed(1)} ms`, 'its own gauge'),
      rowOfFigure('From cancel to a worker that is free', `${cancelMs.toFixed(0)} ms`, 'premium video in its middle'),
    ];
  } finally {
    close();
    await product.stop();
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6);

/** Returns the milliseconds from canceling both videos until none is running. */
async function measureCancel(ask: Ask, product: Product, people: Person[]): Promise<number> {
  const startedAt = performance.now();
  for (const person of people) {
    for (const id of await listRunning(ask, product, person)) {
      const headers = { cookie: person.cookie };
      await ask(`${product.url}/api/v1/generations/${id}/cancel`, { method: 'POST', headers });
    }
  }
  for (const person of people) {
    while ((await listRunning(ask, product, person)).length > 0) await sleep(20);
  }
  return performance.now() - startedAt;
}

async function untilRunning(ask: Ask, product: Product, people: Person[]): Promise<void> {
  const end = performance.now() + 20_000;
  for (const person of people) {
    while ((await listRunning(ask, product, person)).length === 0) {
      if (performance.now() > end) throw new Error('the videos did not start');
      await sleep(50);
    }
  }
}

async function listRunning(ask: Ask, product: Product, person: Person): Promise<string[]> {
  const answer = await ask(`${product.url}/api/v1/generations?status=running`, { headers: { cookie: person.cookie } });
  const { items } = JSON.parse(expectStatus(answer, 200, 'the list').text) as { items: { id: string }[] };
  return items.map(({ id }) => id);
}

async function readLagMs(ask: Ask, metricsPort: number): Promise<number> {
  const { text } = await ask(`http://127.0.0.1:${metricsPort}/metrics`);
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

function watchEngine(product: Product): { stop: () => number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, measureEngineBytes(product))), 200);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

/** Returns the bytes of this product's engine and its workers, as proportional set size (PSS). */
function measureEngineBytes(product: Product): number {
  const processes = listProcesses();
  const engine = processes.find(({ pid }) => readFile(pid, 'environ').includes(`ENGINE_DATA_DIR=${product.dataDir}`));
  if (engine === undefined) throw new Error('the engine was not found');
  const own = processes.filter(({ pid, parent }) => pid === engine.pid || parent === engine.pid);
  return own.reduce((sum, { pid }) => sum + measureProportional(pid), 0);
}

function measureProportional(pid: string): number {
  return Number(/^Pss:\s+(\d+) kB$/m.exec(readFile(pid, 'smaps_rollup'))?.[1] ?? 0) * 1024;
}

function listProcesses(): { pid: string; parent: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, parent: /^PPid:\s+(\d+)$/m.exec(readFile(pid, 'status'))?.[1] ?? '' }));
}

/** Reads a file of a process below /proc. Empty if the process has ended or belongs to another user. */
function readFile(pid: string, name: string): string {
  try {
    return readFileSync(join('/proc', pid, name), 'latin1');
  } catch {
    return '';
  }
}
