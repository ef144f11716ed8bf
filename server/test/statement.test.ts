import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerEntry, Statement } from '@plinth/contract/credits';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyStatement } from '../src/credits/verify-statement.ts';
import { adjustCredits } from '../src/credits/ledger.ts';
import { transaction } from '../src/platform/data/db.ts';
import { runAdmin } from './admin.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeGeneration, makePurchase, makeUser, postJson, type TestUser, waitForEnd } from './makers.ts';

let app: TestApp;
let user: TestUser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plinth-statement-'));
  app = await startTestApp();
  user = await makeUser(app, { credits: 3 });
  app.provider.behave({ result: () => ({ httpStatus: 422, body: { detail: 'no' } }) });
  await waitForEnd(user, (await makeGeneration(user)).id);
  app.provider.behave({});
  await waitForEnd(user, (await makeGeneration(user, { tool: 'text-to-image', prompt: 'on a table' })).id);
  const purchase = await makePurchase(user);
  await postJson(`${app.url}/api/v1/sandbox/checkout/${purchase.checkoutUrl?.split('/').at(-1)}`, { action: 'pay' });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const PATH = '/api/v1/credits/statement';
const FIELDS = ['id', 'delta', 'balanceAfter', 'reason', 'generationId', 'purchaseId', 'tool', 'package', 'createdAt'];
const ask = (accept?: string, method = 'GET') =>
  user.fetch(PATH, { method, ...(accept !== undefined && { headers: { accept } }) });
const readCsv = async () => (await ask('text/csv')).text();
const readJson = async () => (await ask('application/json')).json() as Promise<Statement>;

type Line = Record<string, string | number | null>;

/** Computes the hashes by the rule in the header, independently of the code. */
function recompute(lines: Line[]): string[] {
  let hash = '0'.repeat(64);
  return lines.map((line) => {
    const texts = FIELDS.map((field) => (line[field] === null ? '' : String(line[field])));
    hash = createHash('sha256')
      .update(`${hash}\n${texts.join('\n')}`, 'utf8')
      .digest('hex');
    return hash;
  });
}

/**
 * Inserts this many entries with a sum of zero for a user with one credit, without the trigger, which would take ten
 * seconds.
 */
async function bookMany({ id }: TestUser, entries: number): Promise<void> {
  await sql`alter table credit_ledger disable trigger credit_ledger_book`.execute(app.db);
  await sql`insert into credit_ledger (seq, user_id, delta, balance_after, reason, created_at)
    select nextval('credit_ledger_seq'), ${id}, case n % 2 when 1 then 1 else -1 end, 1 + n % 2, 'adjustment', now()
    from generate_series(1, ${entries}::integer) n`.execute(app.db);
  await sql`alter table credit_ledger enable trigger credit_ledger_book`.execute(app.db);
}

describe('the statement', () => {
  it('has every entry of the history, oldest first, with a hash that follows from the rule in its head', async () => {
    const history = (await user.ledger()).reverse();
    expect(new Set(history.map(({ reason }) => reason))).toEqual(
      new Set(['adjustment', 'debit', 'refund', 'purchase']),
    );
    const { rule, count, items, ...more } = await readJson();
    expect(more).toEqual({});
    expect(count).toBe(history.length);
    expect(items.map(({ hash: _hash, ...entry }): LedgerEntry => entry)).toEqual(history);
    expect(items.map(({ hash }) => hash)).toEqual(recompute(history));
    expect(rule).toContain(FIELDS.join('; '));
  });

  it('says the same as CSV, with rule and number of lines above the table', async () => {
    const { rule, count, items } = await readJson();
    const text = await readCsv();
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    const rows = Papa.parse<string[]>(text.trimEnd(), { delimiter: ',' }).data;
    expect(rows.slice(0, 4)).toEqual([
      ['# Plinth statement of credits'],
      [`# rule: ${rule}`],
      [`# count: ${count}`],
      [...FIELDS, 'hash'],
    ]);
    const lines: Line[] = items;
    expect(rows.slice(4)).toEqual(lines.map((line) => [...FIELDS, 'hash'].map((field) => String(line[field] ?? ''))));
    const formulas = rows.flat().filter((cell) => /^[=+@\t\r-]/.test(cell) && !/^-\d+$/.test(cell));
    expect(formulas).toEqual([]);
  });

  it.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['image/png', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['application/json, text/csv', 'json'],
    ['text/csv;q=0, */*', 'json'],
    ['text/csv', 'csv'],
    ['Text/CSV; charset=utf-8', 'csv'],
    ['text/csv, */*', 'csv'],
    ['text/csv, */*;q=0.1', 'csv'],
    ['application/json;q=0.2, text/*;q=0.3', 'csv'],
    ['text/csv, application/json', 'csv'],
  ])('is a download whose form follows from Accept: %s gives %s, to HEAD as well', async (accept, form) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(accept, method);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(form === 'csv' ? /^text\/csv; charset=utf-8$/ : /^application\/json/);
      expect(headers.get('content-disposition')).toMatch(
        new RegExp(`^attachment; filename="plinth-credits-\\d{4}-\\d\\d-\\d\\d\\.${form}"$`),
      );
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('of a new account has no line, and is whole', async () => {
    const other = await makeUser(app);
    const answer = await other.get<Statement>(PATH);
    expect([answer.count, answer.items]).toEqual([0, []]);
    expect(verifyStatement(JSON.stringify(answer))).toEqual({ state: 'whole', lines: 0, balance: 0 });
    const text = await (await other.fetch(PATH, { headers: { accept: 'text/csv' } })).text();
    expect(verifyStatement(text)).toEqual({ state: 'whole', lines: 0, balance: 0 });
  });

  it(
    'holds what stood there when it was asked for, however long the reading takes and whatever is booked',
    { tags: ['slow'] },
    async () => {
      const reader = await makeUser(app, { credits: 1 });
      await bookMany(reader, 20_000);
      const answer = await reader.fetch(PATH);
      const parts: Uint8Array[] = [];
      for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        if (parts.length === 0)
          await transaction(app.db, (tx) => adjustCredits(tx, { userId: reader.id, credits: 7, note: 'meanwhile' }));
        parts.push(part);
      }
      const verdict = verifyStatement(Buffer.concat(parts).toString());
      expect(verdict).toMatchObject({ state: 'whole', lines: 20_001 });
      const later = await reader.get<Statement>(PATH);
      expect(later.count).toBe(20_002);
      // An entry keeps its hash, so that an old statement can be compared with a new one.
      const earlier = JSON.parse(Buffer.concat(parts).toString()) as Statement;
      expect(later.items.slice(0, -1)).toEqual(earlier.items);
    },
  );
});

describe('a statement that was changed', () => {
  /** As a forger would: recomputes all hashes. */
  const forge = (statement: Statement): Statement => {
    const hashes = recompute(statement.items);
    return { ...statement, items: statement.items.map((line, at) => ({ ...line, hash: hashes[at] ?? '' })) };
  };
  const changes: [string, number | null, (statement: Statement) => unknown][] = [
    ['another amount', 2, ({ items }) => (items[1]!.delta = -2)],
    ['another reason', 3, ({ items }) => (items[2]!.reason = 'adjustment')],
    ['a line less in the middle', 3, ({ items }) => items.splice(2, 1)],
    ['the first line gone', 1, ({ items }) => items.shift()],
    ['two lines in another order', 2, ({ items }) => items.splice(1, 2, items[2]!, items[1]!)],
    ['something beside the values', 1, ({ items }) => Object.assign(items[0]!, { note: 'x' })],
    ['a line that is none', 2, ({ items }) => Object.assign(items, { 1: null })],
  ];

  it.each(changes)('is broken where it was changed: %s', async (_name, line, change) => {
    const statement = await readJson();
    change(statement);
    statement.count = statement.items.length;
    expect(verifyStatement(JSON.stringify(statement))).toMatchObject({ state: 'broken', line, row: null });
  });

  it('is broken though all hashes were made anew, where the balances do not follow from the amounts', async () => {
    const statement = await readJson();
    statement.items[1]!.balanceAfter += 1;
    expect(verifyStatement(JSON.stringify(forge(statement)))).toMatchObject({ state: 'broken', line: 2 });
  });

  it('is broken at the line that is missing at its end, or that is one too many', async () => {
    const whole = await readJson();
    const { count } = whole;
    const shorter = { ...whole, items: whole.items.slice(0, -1) };
    expect(verifyStatement(JSON.stringify(shorter))).toMatchObject({ state: 'broken', line: count });
    expect(verifyStatement(JSON.stringify({ ...whole, count: count - 1 }))).toMatchObject({ line: count });
  });

  it('is found in the CSV form as well, by its row in the file', async () => {
    const text = await readCsv();
    const rows = text.split('\r\n');
    const changed = rows.with(5, rows[5]!.replace(',-1,', ',-2,')).join('\r\n');
    expect(changed).not.toBe(text);
    expect(verifyStatement(changed)).toMatchObject({ state: 'broken', line: 2, row: 6 });
    expect(verifyStatement(text.slice(0, -40))).toMatchObject({ state: 'broken', line: rows.length - 5 });
    // A spreadsheet program may write other line endings.
    expect(verifyStatement(text.replaceAll('\r\n', '\n'))).toMatchObject({ state: 'whole' });
  });
});

describe('verify-statement', () => {
  const verify = (text: string, ...options: string[]) => {
    const file = join(folder, 'statement');
    writeFileSync(file, text);
    // Without a database, and with settings with which the product would not start.
    return runAdmin({ environment: { DATABASE_URL: 'nowhere' } }, ['verify-statement', file, ...options]);
  };

  it('takes either form and ends with 0 where it is whole', async () => {
    const { count } = await readJson();
    const [csv, json] = [await verify(await readCsv()), await verify(JSON.stringify(await readJson()), '--json')];
    expect(csv).toEqual({ code: 0, err: '', out: `Whole, with ${count} lines and a balance of 22.\n` });
    expect([json.code, JSON.parse(json.out)]).toEqual([0, { state: 'whole', lines: count, balance: 22 }]);
  });

  it('ends with 1 and the line where it is broken', async () => {
    const text = await readCsv();
    const { code, out } = await verify(text.replace('debit', 'refund'));
    expect([code, out]).toEqual([
      1,
      'Broken at line 2 (row 6 of the file): its hash is not that of the line before and its own values.\n',
    ]);
  });

  it.each(['', '{}', '[]', 'null', '{"rule":"x","count":0,"items":[]}', 'a,b\r\n1,2\r\n', '# count: 1\r\n'])(
    'knows that %j is no statement',
    (text) => {
      expect(verifyStatement(text)).toEqual({ state: 'not a statement' });
    },
  );

  it('ends with 2 where there is none', async () => {
    expect(await verify('no statement', '--json')).toMatchObject({ code: 2, out: '{"state":"not a statement"}\n' });
    expect((await runAdmin({ environment: {} }, ['verify-statement', join(folder, 'none')])).code).toBe(2);
  });
});
