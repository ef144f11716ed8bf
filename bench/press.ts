import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTerminal } from '@plinth/contract/generations';
import { type ToolId, toolIds, tools } from '@plinth/contract/tools';
import sharp from 'sharp';
import { samplePath } from '../engine/quality/people.ts';
import { openStream } from './event-streams.ts';
import { expectStatus, openConnections, type Ask } from './http-load.ts';
import { type Person, type Product, signUp, startProduct } from './product.ts';
import { rowOfFigure, type Row, logProgress } from './table.ts';

/**
 * Time from pressing the button to the picture, from a browser's view: sending the form with the photo, the event of
 * its end, the last byte of the file. One generation at a time, on an idle machine.
 */

const RUNS = 3;
const WARMUP_RUNS = 1;
const PATIENCE_MS = 60_000;
const REAL = join(import.meta.dirname, '..', 'engine', 'quality', 'pictures', 'real');

const SIZES = [
  { name: '1 megapixel', pixels: 1_000_000 },
  { name: '12 megapixels', pixels: 12_000_000 },
];

/** The photo for each picture field. */
const PHOTOS: Record<string, string> = {
  image: join(REAL, 'thing-01.jpg'),
  modelImage: samplePath('person-nora'),
  garmentImage: samplePath('garment-tshirt'),
};
const FACE = samplePath('face-nora');
const TEXTS: Record<string, string> = { prompt: 'on a marble table, warm light', aspectRatio: '1:1' };

/** Measures every tool, or only one, at both sizes, with the parts of the time. */
export async function measurePress(only?: string): Promise<Row[]> {
  const product = await startProduct({ LOG_LEVEL: 'info' });
  const { ask, close } = openConnections(4);
  const rows: Row[] = [];
  try {
    const [person] = await signUp(ask, product, 1);
    if (person === undefined) throw new Error('nobody signed up');
    const press = await openPress(ask, product, person);
    for (const tool of toolIds.filter((id) => only === undefined || id === only))
      for (const { name, pixels } of SIZES) {
        const form = () => makeForm(ask, product, person, tool, pixels);
        for (let run = 0; run < WARMUP_RUNS; run += 1) await press.once(tool, await form());
        const pressed: Pressed[] = [];
        for (let run = 0; run < RUNS; run += 1) pressed.push(await press.once(tool, await form()));
        const row = toRow(`Press to picture: ${tool}, ${name}`, pressed);
        logProgress(`${row.what}: ${row.share}`);
        rows.push(row);
      }
    press.close();
  } finally {
    close();
    await product.stop();
  }
  return rows;
}

/** The total time and its parts in order, in milliseconds. */
type Pressed = { allMs: number; end: string; parts: Record<string, number> };

function toRow(what: string, pressed: Pressed[]): Row {
  const [middle] = pressed.toSorted((a, b) => a.allMs - b.allMs).slice(pressed.length >> 1);
  if (middle === undefined) throw new Error('nothing was measured');
  const all = pressed.map(({ allMs }) => Math.round(allMs)).toSorted((a, b) => a - b);
  const parts = Object.entries(middle.parts).map(([name, ms]) => `${name} ${Math.round(ms)}`);
  const end = middle.end === 'succeeded' ? '' : ` ${middle.end}`;
  const figure = `${(middle.allMs / 1000).toFixed(2)} s${end}: ${parts.join(', ')}`;
  return rowOfFigure(what, figure, `median of ${all.join(', ')} ms`);
}

async function makeForm(ask: Ask, product: Product, person: Person, tool: ToolId, pixels: number): Promise<FormData> {
  const form = new FormData();
  for (const [name, field] of Object.entries(tools[tool].fields)) {
    if (field.kind === 'image') {
      const photo = Object.values(tools[tool].fields).some(({ kind }) => kind === 'model') ? FACE : PHOTOS[name];
      const content = await enlarge(await readFile(photo ?? ''), pixels);
      form.set(name, new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), 'photo.jpg');
    } else if (field.kind === 'model') form.set(name, await findModel(ask, product, person));
    else if (TEXTS[name] !== undefined) form.set(name, TEXTS[name]);
  }
  return form;
}

const enlarged = new Map<string, Buffer>();

/** Scales a photo to this number of pixels. */
async function enlarge(photo: Buffer, pixels: number): Promise<Buffer> {
  const { width, height } = await sharp(photo).metadata();
  const scale = Math.sqrt(pixels / (width * height));
  const key = `${photo.byteLength} ${pixels}`;
  const known = enlarged.get(key);
  if (known !== undefined) return known;
  const large = await sharp(photo)
    .resize(Math.round(width * scale))
    .jpeg({ quality: 90 })
    .toBuffer();
  enlarged.set(key, large);
  return large;
}

async function findModel(ask: Ask, product: Product, person: Person): Promise<string> {
  const answer = await ask(`${product.url}/api/v1/headshot-models`, { headers: { cookie: person.cookie } });
  const { items } = JSON.parse(expectStatus(answer, 200, 'the models').text) as { items: { id: string }[] };
  return items[0]?.id ?? '';
}

type Ended = { status: string; startedAt: string; finishedAt: string; result: { contentUrl: string } | null };

/** Opens a client that sends and follows one generation at a time. */
async function openPress(
  ask: Ask,
  product: Product,
  person: Person,
): Promise<{ once: (tool: ToolId, form: FormData) => Promise<Pressed>; close: () => void }> {
  const ends = new Map<string, number>();
  const agent = new Agent();
  const stream = await openStream(product, agent, person, 'generation', ({ id, status }) => {
    if (isTerminal(status)) ends.set(id, now());
  });
  const once = async (tool: ToolId, form: FormData): Promise<Pressed> => {
    const whole = new Response(form);
    const body = Buffer.from(await whole.arrayBuffer());
    const contentType = whole.headers.get('content-type') ?? '';
    const headers = { cookie: person.cookie, 'content-type': contentType, 'idempotency-key': randomUUID() };
    const pressedAtMs = now();
    const path = `/api/v1/tools/${tool}/generations`;
    const accepted = await ask(product.url + path, { method: 'POST', headers, body });
    const acceptedAtMs = now();
    const { id } = JSON.parse(expectStatus(accepted, 202, tool).text) as { id: string };
    const atMs = await waitFor(ends, id);
    const read = (address: string) => ask(product.url + address, { headers: { cookie: person.cookie } });
    const answer = expectStatus(await read(`/api/v1/generations/${id}`), 200, 'the generation');
    const { result, startedAt, finishedAt, status } = JSON.parse(answer.text) as Ended;
    if (result !== null) expectStatus(await read(result.contentUrl), 200, 'the file');
    const lastByteMs = now();
    const [startedAtMs, finishedAtMs] = [Date.parse(startedAt), Date.parse(finishedAt)];
    const parts = {
      accepted: acceptedAtMs - pressedAtMs,
      queued: startedAtMs - acceptedAtMs,
      // Generations run one at a time, so the last entry is this one's.
      ...(result !== null && product.made.at(-1)),
      made: finishedAtMs - startedAtMs,
      notified: atMs - finishedAtMs,
      fetched: lastByteMs - atMs,
    };
    return { allMs: lastByteMs - pressedAtMs, end: status, parts };
  };
  return { once, close: () => (stream.destroy(), agent.destroy()) };
}

const now = () => performance.timeOrigin + performance.now();

async function waitFor<Value>(ends: Map<string, Value>, id: string): Promise<Value> {
  for (const end = now() + PATIENCE_MS; now() < end; await sleep(1)) {
    const found = ends.get(id);
    if (found !== undefined) return found;
  }
  throw new Error(`${id} did not end`);
}
