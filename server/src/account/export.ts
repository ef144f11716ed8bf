import { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { expiryLimit, type Library } from '../media/library.ts';
import type { Db } from '../platform/data/db.ts';
import type { Column } from '../platform/data/rows.ts';
import { streamZip } from '../platform/zip.ts';

const README = `Everything this site keeps about your account: rows as JSON, and the files that are still there.
Your password and your sessions are kept as hashes only, and hashes are left out; so are the secrets of your webhooks.
Descriptions and files are deleted after a while; generations.json names the file of each upload and result that is
still there.
`;

/** A ZIP of all data of a user, streamed page by page without holding a database connection. */
export function makeExport(library: Library, userId: string): Readable {
  return streamZip(library.clock, async (add) => {
    await add(Readable.from([README]), 'README.txt', true);
    for (const part of listParts(expiryLimit(library)))
      await add(Readable.from(toText(library.db, part, userId)), part.file, true);
    for (const { key, file } of await listStoredFiles(library, userId)) {
      // Files deleted in the meantime are left out.
      const content = await library.storage.read(key);
      if (content !== undefined) await add(content, file, false);
    }
  });
}

/** A user's rows, without hashes of secrets and storage keys. */
type Part = {
  file: string;
  from: RawBuilder<unknown>;
  row: RawBuilder<unknown>;
  /** Unique columns that order the rows; by time if absent. */
  order?: string[];
};

const BY_TIME = ['created_at', 'id'];
const UPLOAD_FILE = sql`'uploads/' || u.id || '-' || u.field || '.' || substring(u.object_key from '[^.]+$')`;
const RESULT_FILE = sql`'results/' || m.id || '-' || coalesce(m.original_filename, 'result')`;

const ACCOUNT: Part = {
  file: 'account.json',
  from: sql`from users t`,
  row: sql`jsonb_build_object('id', t.id, 'email', t.email, 'email_verified', t.email_verified,
    'has_password', t.password_hash is not null, 'created_at', t.created_at,
    'credits', (select c.credits from user_credits c where c.user_id = t.id),
    'identities', (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from identities i where i.user_id = t.id),
    'billing', (select to_jsonb(b) from billing_details b where b.user_id = t.id))`,
  order: ['id'],
};

const PURCHASES: Part = {
  file: 'purchases.json',
  from: sql`from purchases t`,
  row: sql`to_jsonb(t) || jsonb_build_object('messages',
    (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from webhook_events w where w.purchase_id = t.id),
    'reversals', (select coalesce(jsonb_agg(to_jsonb(v)), '[]') from purchase_reversals v where v.purchase_id = t.id),
    'receipt', (select to_jsonb(c) from receipts c where c.purchase_id = t.id))`,
};

/** `since`: older rows count as expired, even if not yet swept. */
function listParts(since: Date): Part[] {
  return [
    ACCOUNT,
    { file: 'sessions.json', from: sql`from sessions t`, row: sql`to_jsonb(t) - 'token_hash'` },
    { file: 'looks.json', from: sql`from looks t`, row: sql`to_jsonb(t)` },
    { file: 'keys.json', from: sql`from api_keys t`, row: sql`to_jsonb(t) - 'secret_hash'` },
    { file: 'credits.json', from: sql`from credit_ledger t`, row: sql`to_jsonb(t)`, order: ['seq'] },
    PURCHASES,
    {
      file: 'generations.json',
      from: sql`from generations t`,
      row: sql`case when t.created_at > ${since} then to_jsonb(t) else to_jsonb(t) - 'input' - 'understood' - 'not_drawn' end
        || jsonb_build_object(
          'uploads', (select coalesce(jsonb_agg(to_jsonb(u) - 'object_key' || jsonb_build_object('file',
            case when ${isLive('u', since)} then ${UPLOAD_FILE} end)), '[]') from uploads u where u.generation_id = t.id),
          'result', (select to_jsonb(m) - 'storage_path' || jsonb_build_object('file',
            case when ${isLive('m', since)} then ${RESULT_FILE} end) from generated_media m where m.generation_id = t.id))`,
    },
    {
      file: 'runs.json',
      from: sql`from runs t`,
      row: sql`to_jsonb(t) - 'is_news' - 'announced_at' - 'is_end_told' || jsonb_build_object('items',
        (select coalesce(jsonb_agg(to_jsonb(n)), '[]') from run_items n where n.run_id = t.id))`,
    },
    {
      file: 'webhooks.json',
      from: sql`from webhook_endpoints t`,
      row: sql`to_jsonb(t) - 'secret' || jsonb_build_object('deliveries',
        (select coalesce(jsonb_agg(to_jsonb(d) - 'leased_until'), '[]') from webhook_deliveries d
          where d.endpoint_id = t.id))`,
    },
    {
      file: 'requests.json',
      from: sql`from idempotency_keys t`,
      row: sql`to_jsonb(t) - 'payload_hash'`,
      order: ['route', 'key'],
    },
    { file: 'events.json', from: sql`from user_events t`, row: sql`to_jsonb(t)`, order: ['seq'] },
  ];
}

const isLive = (table: string, since: Date) =>
  sql`${sql.ref(`${table}.deleted_at`)} is null and ${sql.ref(`${table}.created_at`)} > ${since}`;

const PAGE_ROWS = 200;

/** One table as a JSON file, read page by page on demand. */
async function* toText(db: Db, part: Part, userId: string): AsyncIterable<string> {
  let separator = '[\n';
  let rows = await readPage(db, part, userId, []);
  while (rows.length > 0) {
    for (const { row } of rows) {
      yield `${separator}${JSON.stringify(toCamelCase(row), null, 2)}`;
      separator = ',\n';
    }
    rows = await readPage(db, part, userId, rows.at(-1)?.place ?? []);
  }
  yield separator === ',\n' ? '\n]\n' : '[]\n';
}

/** @param after the place of the last row before the page, empty for the first one */
async function readPage(db: Db, { from, row, order = BY_TIME }: Part, userId: string, after: string[]) {
  const columns = sql.join(order.map((column) => sql.ref(`t.${column}`)));
  const owner = from === ACCOUNT.from ? sql.ref('t.id') : sql.ref('t.user_id');
  const isAfter = after.length === 0 ? sql`true` : sql`(${columns}) > (${sql.join(after)})`;
  const found = await sql<{ row: Record<string, unknown>; place: string[] }>`
    select ${row} as row, array[${columns}]::text[] as place
    ${from}
    where ${owner} = ${userId} and ${isAfter}
    order by ${columns} limit ${PAGE_ROWS}`.execute(db);
  return found.rows;
}

function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'user_id')
      .map(([name, one]) => [
        name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
        toCamelCase(one),
      ]),
  );
}

/** The user's existing files: their storage keys, and their names beside the JSON files. */
async function listStoredFiles(library: Library, userId: string): Promise<{ key: string; file: string }[]> {
  const since = expiryLimit(library);
  const found = await sql<{ key: Column<'uploads', 'objectKey'>; file: string }>`
    select u.object_key as key, ${UPLOAD_FILE} as file from uploads u where u.user_id = ${userId} and ${isLive('u', since)}
    union all
    select m.storage_path, ${RESULT_FILE} from generated_media m where m.user_id = ${userId} and ${isLive('m', since)}
  `.execute(library.db);
  return found.rows;
}
