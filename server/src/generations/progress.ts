import { sql } from 'kysely';
import { type Db, transaction } from '../platform/data/db.ts';
import { announceGeneration } from './generation-view.ts';

/** Shows how far a running generation is; one that has ended is left as it is. */
export async function showPercent(db: Db, generationId: string, percent: number): Promise<void> {
  await transaction(db, async (tx) => {
    const shown = await sql`
      update generations set percent = ${percent} where id = ${generationId} and status = 'running'`.execute(tx);
    if (shown.numAffectedRows === 1n) await announceGeneration(tx, generationId);
  });
}
