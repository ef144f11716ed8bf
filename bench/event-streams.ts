import { Agent, type ClientRequest, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBody, EventName } from '@plinth/contract/events';
import { adjustCredits } from '../server/src/credits/ledger.ts';
import { type Database, openDatabase, transaction } from '../server/src/platform/data/db.ts';
import { findRunningPostgres } from '../server/src/platform/machine/embedded-postgres.ts';
import { readOrMakeSecrets } from '../server/src/platform/machine/secrets.ts';
import { mapConcurrently, type Round, summarize } from './http-load.ts';
import type { Person, Product } from './product.ts';

/** Open event streams, and the delay between a change and its event. */

/** Times of one change, in milliseconds of `performance.now()`; 0 until it happens. */
type Moments = { began: number; arrived: number };

type Streams = {
  /**
   * Runs `change` for each person, `gapMs` apart (0: all at once), and waits until every stream received its own. Times
   * count from the change's call of `begin`.
   */
  follow: (
    gapMs: number,
    change: (person: Person, begin: () => void, index: number) => Promise<void>,
  ) => Promise<Round>;
  close: () => void;
};

const ARRIVAL_MS = 15_000;

/** Opens one stream for each person. */
export async function openStreams(product: Product, people: Person[]): Promise<Streams> {
  const open = new Map<string, Moments>();
  const agent = new Agent({ maxSockets: Infinity });
  const streams = await mapConcurrently(people, 20, (person) =>
    openStream(product, agent, person, 'credits', () => {
      const moments = open.get(person.id);
      if (moments?.arrived === 0) moments.arrived = performance.now();
    }),
  );
  return {
    follow: async (gapMs, change) => {
      for (const person of people) open.set(person.id, { began: 0, arrived: 0 });
      const start = performance.now();
      await Promise.all(
        people.map(async (person, index) => {
          await sleep(index * gapMs);
          const begin = () => void open.set(person.id, { began: performance.now(), arrived: 0 });
          await change(person, begin, index);
        }),
      );
      const all = await waitForAll(open);
      const last = Math.max(...all.map((moments) => moments.arrived));
      const times = all.map((moments) => moments.arrived - moments.began);
      return { perSecond: all.length / ((last - start) / 1000), ...summarize(times) };
    },
    close: () => {
      for (const stream of streams) stream.destroy();
      agent.destroy();
    },
  };
}

/** Opens own connections to the product's database. */
export function openDatabaseOf(product: Product, connections: number): Database {
  const secrets = readOrMakeSecrets(product.dataDir);
  const url = findRunningPostgres(join(product.dataDir, 'postgres'), secrets.postgresPassword);
  if (url === undefined) throw new Error("the product's database was not found");
  return openDatabase(url, { maxConnections: connections });
}

/** Changes a balance as another process of the product would. Calls `begin` right before it sends COMMIT. */
export async function giveCredit(database: Database, person: Person, begin: () => void): Promise<void> {
  await transaction(database.db, async (tx) => {
    await adjustCredits(tx, { userId: person.id, credits: 1, note: 'bench' });
    begin();
  });
}

/** Opens a stream and resolves at its `hello` event. Calls `onEvent` with each later event of this name. */
export function openStream<Name extends EventName>(
  product: Product,
  agent: Agent,
  person: Person,
  name: Name,
  onEvent: (body: EventBody<Name>) => void,
): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: person.cookie, accept: 'text/event-stream' };
    const stream = get(`${product.url}/api/v1/events`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream was answered ${response.statusCode}`));
      let rest = '';
      response.setEncoding('utf8');
      response.on('error', () => undefined);
      response.on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          if (block.includes('event: hello')) resolve(stream);
          const data = block.includes(`event: ${name}\n`) ? /^data: (.*)$/m.exec(block)?.[1] : undefined;
          if (data !== undefined) onEvent(JSON.parse(data) as EventBody<Name>);
        }
      });
    });
    stream.on('error', reject);
  });
}

async function waitForAll(open: Map<string, Moments>): Promise<Moments[]> {
  const end = performance.now() + ARRIVAL_MS;
  const isDone = (moments: Moments) => moments.began > 0 && moments.arrived > 0;
  for (;;) {
    const all = [...open.values()];
    if (all.every(isDone)) return all;
    if (performance.now() > end) throw new Error(`${all.filter((one) => !isDone(one)).length} events did not arrive`);
    await sleep(5);
  }
}
