import { sql } from 'kysely';
import { auditLedger } from '../credits/audit.ts';
import type { Library } from '../media/library.ts';
import { auditFiles } from '../media/orphans.ts';

/** Checks ledger, generations and files for consistency; returns a sentence per violation. */
export async function findViolations(library: Library): Promise<string[]> {
  const results = await sql<{ violation: string }>`
    select 'generation ' || g.id || ' is ' || g.status || ' with ' || count(m.id) || ' results' as violation
    from generations g left join generated_media m on m.generation_id = g.id
    group by g.id having count(m.id) <> case when g.status = 'succeeded' then 1 else 0 end`.execute(library.db);
  return [
    ...(await auditLedger(library.db)),
    ...results.rows.map((row) => row.violation),
    ...(await auditFiles(library)),
  ];
}
