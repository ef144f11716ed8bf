import { sql } from 'kysely';
import { type Revival, reviveGeneration } from '../generations/revive.ts';
import type { Library } from '../media/library.ts';
import type { Db } from '../platform/data/db.ts';
import { createLog } from '../platform/log.ts';
import { countJobs, listGenerationsWithoutJob, listJobs, openQueue } from '../platform/data/queue.ts';
import type { Row } from '../platform/data/rows.ts';
import { onData, type Opened } from './open.ts';
import type { Answer, Command, CommandInput } from './arguments.ts';

/** Commands about generations. Exit 2: no such generation; 1: nothing to retry. */
export const generationCommands: Command[] = [
  {
    usage: 'generation show ID',
    does: 'shows what happened to one: times, jobs, credits, files',
    run: onData(async ({ words: [id = ''], library }) => {
      const shown = await showGeneration(library.db, id);
      if (shown === undefined) return { json: { id, status: null }, text: 'There is no such generation.', code: 2 };
      return { json: shown, text: toLines(shown) };
    }),
  },
  {
    usage: 'generation retry ID',
    does: 'gives an open one whose job is lost a new job',
    changes: true,
    run: (input) => {
      input.note({ generation: input.words[0] });
      return onData(retry)(input);
    },
  },
  {
    usage: 'queue',
    does: 'says what waits, what runs, and what no job stands for',
    run: onData(async ({ library }) => {
      const seen = await describeQueue(library);
      const line = (name: string, { count, oldestSeconds }: Waiting) =>
        `${name.padEnd(12)} ${count}${count === 0 ? '' : `, the oldest for ${Math.floor(oldestSeconds / 60)} min`}`;
      const jobs = Object.entries(seen.jobs).map(([state, count]) => `${state} ${count}`);
      const text = [line('waiting', seen.waiting), line('running', seen.running)];
      text.push(`without job  ${seen.withoutJob.join(' ') || 'none'}`, `jobs         ${jobs.join(', ') || 'none'}`);
      return { json: seen, text: text.join('\n') };
    }),
  },
];

/** Everything about a generation except the user's words. */
async function showGeneration(db: Db, id: string): Promise<object | undefined> {
  const found = await sql<{ shown: object }>`
    select jsonb_build_object('id', g.id, 'userId', g.user_id, 'tool', g.tool, 'status', g.status, 'cost', g.cost,
      'percent', g.percent, 'cancelRequested', g.cancel_requested, 'redoOf', g.redo_of, 'createdAt', g.created_at,
      'startedAt', g.started_at, 'submitStartedAt', g.submit_started_at, 'requestId', g.provider_request_id,
      'finishedAt', g.finished_at, 'returnedAt', g.returned_at, 'error', g.error_code,
      'entries', (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'reason', l.reason, 'delta', l.delta,
        'createdAt', l.created_at) order by l.seq), '[]') from credit_ledger l where l.generation_id = g.id),
      'uploads', (select coalesce(jsonb_agg(jsonb_build_object('field', u.field, 'bytes', u.bytes, 'width', u.width,
        'height', u.height, 'deletedAt', u.deleted_at)), '[]') from uploads u where u.generation_id = g.id),
      'result', (select jsonb_build_object('id', m.id, 'contentType', m.content_type, 'bytes', m.bytes, 'sha256', m.sha256,
        'deletedAt', m.deleted_at) from generated_media m where m.generation_id = g.id)) as shown
    from generations g where g.id = ${id}`.execute(db);
  const row = found.rows[0];
  return row && { ...row.shown, jobs: await listJobs(db, id) };
}

const toLines = (shown: object): string =>
  Object.entries(shown)
    .map(([name, value]) => `${name.padEnd(16)} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join('\n');

const SENTENCES: Record<Revival, string> = {
  retried: 'It has a new job.',
  has_job: 'It has its job: a worker is at it, or it waits for its turn or its next try. Nothing was changed.',
  has_ended: 'It has ended, with a result or with its credits given back, and stays so. Nothing was changed.',
  unknown: 'There is no such generation.',
};

async function retry({ words: [id = ''], config, library, databaseUrl }: CommandInput & Opened): Promise<Answer> {
  const log = createLog(config.LOG_LEVEL, 'admin');
  const queue = await openQueue(databaseUrl, { supervises: false, log });
  try {
    const outcome = await reviveGeneration(library.db, queue, id);
    const code = { retried: 0, unknown: 2, has_job: 1, has_ended: 1 }[outcome];
    return { json: { retried: outcome === 'retried', outcome }, text: SENTENCES[outcome], code };
  } finally {
    await queue.stop(0);
  }
}

type Waiting = { count: number; oldestSeconds: number };

async function describeQueue({ db, clock }: Library) {
  const found = await sql<Row<'generations', 'status'> & { generations: number; oldestSeconds: number }>`
    select status, count(*) as generations, floor(extract(epoch from now() - min(created_at))) as "oldestSeconds"
    from generations where status in ('queued', 'running') group by status`.execute(db);
  const waitingAs = (wanted: string): Waiting => {
    const { generations: count = 0, oldestSeconds = 0 } = found.rows.find(({ status }) => status === wanted) ?? {};
    return { count, oldestSeconds };
  };
  return {
    waiting: waitingAs('queued'),
    running: waitingAs('running'),
    withoutJob: await listGenerationsWithoutJob(db, clock.now()),
    jobs: await countJobs(db),
  };
}
