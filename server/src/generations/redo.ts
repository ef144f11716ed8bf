import { isGuide } from '@plinth/contract/tool-fields';
import { sql } from 'kysely';
import { getRow, type Tx } from '../platform/data/db.ts';
import { AppError } from '../platform/errors.ts';
import { type Answered, type IdempotentRequest, once, type StoredAnswer } from '../platform/http/idempotency.ts';
import { newId } from '../platform/ids.ts';
import type { Row } from '../platform/data/rows.ts';
import { type AcceptOptions, answerGeneration, lockAndCountInFlight, startGeneration } from './accept.ts';
import { type GenerationRow, getOwnRow, getTool, toGeneration } from './generation-view.ts';

type RedoCommand = { request: IdempotentRequest; generationId: string; change: Record<string, string> };

/** Accepts a free second try. @throws AppError not_found, too_many_generations, redo_not_possible */
export function acceptRedo(options: AcceptOptions, command: RedoCommand): Promise<Answered> {
  const { queue, clock } = options;
  const { userId } = command.request;
  const accept = async (tx: Tx): Promise<StoredAnswer> => {
    const { originalId, redone } = await lockOriginal(tx, userId, command.generationId);
    const position = await lockAndCountInFlight(tx, options, userId);
    const isPossible = redone.status === 'succeeded' && toGeneration(redone, options).redosLeft > 0;
    if (!isPossible) throw new AppError('redo_not_possible');
    const id = newId('gen');
    const input = { ...redone.input, ...command.change };
    await sql`
      insert into generations (id, user_id, tool, cost, input, redo_of, redo_number, seed_number, created_at)
      select ${id}, ${userId}, ${redone.tool}, 0, ${JSON.stringify(input)}::jsonb, ${originalId}, next.number,
        case when ${keepsScene(redone, command.change)}
          then (select seed_number from generations where id = ${redone.id}) else next.number end, ${clock.now()}
      from (select 1 + coalesce(max(redo_number), 0) as number from generations where redo_of = ${originalId}) next
    `.execute(tx);
    return answerGeneration(options, await startGeneration(tx, queue, id, position));
  };
  return once(options.db, command.request, accept);
}

/** True if only marks or placement change: then the user wants the same scene, and so the same seed. */
function keepsScene({ tool, input }: GenerationRow, change: Record<string, string>): boolean {
  const { fields } = getTool(tool);
  const changed = Object.keys(change).filter((name) => change[name] !== (input[name] ?? ''));
  return changed.length > 0 && changed.every((name) => fields[name] !== undefined && isGuide(fields[name]));
}

/** Locks a result's first try, which serialises redos and returns. @throws AppError not_found */
export async function lockOriginal(
  tx: Tx,
  userId: string,
  generationId: string,
): Promise<{ originalId: string; redone: GenerationRow }> {
  const locked = await sql<Row<'generations', 'id'>>`
    select f.id from generations g join generations f on f.id = coalesce(g.redo_of, g.id)
    where g.id = ${generationId} and g.user_id = ${userId} for update of f`.execute(tx);
  const { id: originalId } = getRow(locked);
  return { originalId, redone: await getOwnRow(tx, userId, generationId) };
}
