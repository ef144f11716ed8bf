import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { productPath } from '../engine/quality/composites.ts';
import { openDatabaseOf } from './event-streams.ts';
import { type Ask, expectStatus, type RequestOptions } from './http-load.ts';
import type { Person, Product } from './product.ts';

/** Submits generations like a browser and waits for their end. */

export type Form = { body: Buffer; contentType: string };

/** Builds a form with a photo, which many requests reuse. */
export async function makeForm(photo: string): Promise<Form> {
  return toForm(await readFile(photo), {});
}

/** Builds a premium video's form with one of the engine's product photos. */
export async function makeVideoForm(): Promise<Form> {
  return toForm(await readFile(productPath('mug')), { prompt: 'camera glides closer, snow', aspectRatio: '16:9' });
}

export async function toForm(picture: Buffer, texts: Record<string, string>): Promise<Form> {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'photo.jpg');
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  const whole = new Response(form);
  const contentType = whole.headers.get('content-type') ?? '';
  return { contentType, body: Buffer.from(await whole.arrayBuffer()) };
}

export async function submitGeneration(
  ask: Ask,
  product: Product,
  person: Person,
  form: Form,
  tool = 'remover',
): Promise<void> {
  expectStatus(await ask(`${product.url}/api/v1/tools/${tool}/generations`, toRequest(person, form)), 202, tool);
}

/** Submits a generation and accepts any status. A broken connection is status 0. */
export async function tryGeneration(
  ask: Ask,
  product: Product,
  person: Person,
  form: Form,
): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const answer = await ask(`${product.url}/api/v1/tools/remover/generations`, toRequest(person, form)).catch(
    () => null,
  );
  return { status: answer?.status ?? 0, ms: performance.now() - began };
}

function toRequest(person: Person, form: Form): RequestOptions {
  const headers = { cookie: person.cookie, 'content-type': form.contentType, 'idempotency-key': randomUUID() };
  return { method: 'POST', headers, body: form.body };
}

/** Counts the succeeded generations in the product's database. */
export async function countDone(product: Product): Promise<number> {
  const { pool, close } = openDatabaseOf(product, 1);
  const found = await pool.query<{ done: number }>(
    "select count(*) as done from generations where status = 'succeeded'",
  );
  await close();
  return found.rows[0]?.done ?? 0;
}

/** Waits until these people have no queued or running generation. @throws Error after `seconds` */
export async function waitUntilIdle(ask: Ask, product: Product, people: Person[], seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (const person of people) {
    for (const status of ['queued', 'running']) {
      while (await hasAny(ask, product, person, status)) {
        if (performance.now() > end) throw new Error(`generations still ${status} after ${seconds} s`);
        await sleep(100);
      }
    }
  }
}

export async function hasAny(ask: Ask, product: Product, person: Person, status: string): Promise<boolean> {
  const path = `/api/v1/generations?limit=1&status=${status}`;
  const answer = await ask(product.url + path, { headers: { cookie: person.cookie } });
  const { items } = JSON.parse(expectStatus(answer, 200, 'the list').text) as { items: unknown[] };
  return items.length > 0;
}
