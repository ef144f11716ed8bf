import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { giveCredit, openDatabaseOf, openStream } from './event-streams.ts';
import { expectStatus, mapConcurrently, openConnections, runRound, summarize } from './http-load.ts';
import { watchMemory } from './memory.ts';
import { type Person, signUp, startProduct } from './product.ts';
import { type Row, rowOfFigure } from './table.ts';

/** Thousands of open event streams, ten per person: time to open them, time to notify them, and their memory. */

const STREAMS = 5000;
const STREAMS_PER_PERSON = 10;
const OPENING_CONCURRENCY = 100;
const ARRIVAL_MS = 60_000;

export async function measureManyStreams(scale: number): Promise<Row[]> {
  const product = await startProduct({ FAL_KEY: 'x' });
  const { ask, close } = openConnections(4);
  const agent = new Agent({ maxSockets: Infinity });
  const people = await signUp(ask, product, Math.ceil((STREAMS * scale) / STREAMS_PER_PERSON));
  const owners = people.flatMap((person) => Array<Person>(STREAMS_PER_PERSON).fill(person));
  const arrivedAt: number[] = [];
  const memory = await watchMemory(product.pid(), async () => {
    const began = performance.now();
    const streams = await mapConcurrently(owners, OPENING_CONCURRENCY, (person) =>
      openStream(product, agent, person, 'credits', () => arrivedAt.push(performance.now())),
    );
    return { streams, seconds: (performance.now() - began) / 1000 };
  });
  const { streams, seconds } = memory.result;
  const database = openDatabaseOf(product, 8);
  const began = performance.now();
  await mapConcurrently(people, 8, (person) => giveCredit(database, person, () => undefined));
  const end = performance.now() + ARRIVAL_MS;
  while (arrivedAt.length < owners.length && performance.now() < end) await sleep(20);
  if (arrivedAt.length < owners.length)
    throw new Error(`${owners.length - arrivedAt.length} streams were told nothing`);
  const arrivals = summarize(arrivedAt.map((moment) => moment - began));
  const send = async () => {
    const headers = { cookie: people[0]?.cookie ?? '' };
    expectStatus(await ask(`${product.url}/api/v1/credits`, { headers }), 200, 'the credits');
  };
  const beside = await watchMemory(product.pid(), () => runRound({ connections: 1, seconds: 5, most: Infinity, send }));
  for (const stream of streams) stream.destroy();
  agent.destroy();
  close();
  await database.close();
  await product.stop();
  const how = `${owners.length} streams of ${people.length} people`;
  return [
    rowOfFigure('Event streams opened', `${seconds.toFixed(1)} s (goal 10 s)`, how),
    rowOfFigure('One event to all of them', 'goal: p99 1 s', how, arrivals),
    rowOfFigure('Memory of the product with them', `${Math.max(memory.maxMb, beside.maxMb)} MB (goal 700 MB)`, how),
    rowOfFigure('GET /api/v1/credits beside them', 'goal: 50 ms', '1 connection, 5 s', beside.result),
  ];
}
