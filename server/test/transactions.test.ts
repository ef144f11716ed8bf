import { expect, expectTypeOf, it } from 'vitest';
import type { endSessions } from '../src/auth/sessions.ts';
import type { announceGeneration } from '../src/generations/generation-view.ts';
import type { Db, transaction, Tx } from '../src/platform/data/db.ts';
import type { appendEvent } from '../src/platform/data/events.ts';
import type { once } from '../src/platform/http/idempotency.ts';
import { findBrokenRules } from './lint.ts';

type First<Work extends (...given: never[]) => unknown> = Parameters<Work>[0];
const IMPORTS = `
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Library } from '../media/library.ts';
import { type Db, transaction, type Tx } from '../platform/data/db.ts';
import type { Queue } from '../platform/data/queue.ts';
`;

// Checked by the compiler.
it('what belongs into a transaction takes no plain database, and none begins within another', () => {
  expectTypeOf<First<typeof appendEvent>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof once>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof announceGeneration>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof endSessions>>().toEqualTypeOf<Tx>();
  expectTypeOf<First<typeof transaction>>().toEqualTypeOf<Db>();
  expectTypeOf<Db>().not.toExtend<Tx>();
  expectTypeOf<Tx>().not.toExtend<Db>();
});

it('a transaction reaches nothing but the database, and that by itself', async () => {
  const refused = [
    'await fetch("https://shop.example");',
    'await library.storage.remove("a");',
    'void library.storage.remove("a");',
    'await sleep(1);',
    'await sql`select 1`.execute(db);',
    'await Promise.all(["a"].map((key) => library.storage.remove(key)));',
  ];
  const found = await findBrokenRules(`${IMPORTS}
    export async function work(db: Db, library: Library): Promise<void> {
      await transaction(db, async (tx) => {
        await sql\`select 1\`.execute(tx);
        ${refused.join('\n')}
      });
    }
    export async function workWithin(tx: Db | Tx, db: Db, library: Library): Promise<void> {
      await sql\`select 1\`.execute(tx);
      ${refused.join('\n')}
    }`);
  expect(found).toEqual(Array(2 * refused.length).fill('plinth/only-transaction'));
});

it('what is given the transaction, and what comes before or after it, is let be', async () => {
  const found = await findBrokenRules(`${IMPORTS}
    export async function work(db: Db, queue: Queue, library: Library): Promise<void> {
      await library.storage.remove('before');
      await transaction(db, async (tx) => {
        await queue.enqueueGeneration(tx, 'gen_a', 0);
        await Promise.all([sql\`select 1\`.execute(tx), sql\`select 2\`.execute(tx)]);
        await sql\`select 3\`.execute(tx).catch(() => undefined);
      });
      await library.storage.remove('after');
    }`);
  expect(found).toEqual([]);
});
