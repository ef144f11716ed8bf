import type { Abilities } from '@plinth/contract/tool-fields';
import { type ToolId, toolIds } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, isDatabaseUnavailable } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Provider } from '../providers/provider.ts';
import { getTool } from './generation-view.ts';

/** Choices that a hosted model rejected. They are no longer offered, but a repeated request may still use them. */

/** Models change, so a rejected choice is offered again after a day. */
const RETENTION_SECONDS = 86_400;

type ChoiceOptions = { db: Db; clock: Clock; providerOf: (tool: ToolId) => Provider };
type RefusedChoice = Row<'refusedChoices', 'tool' | 'system' | 'field' | 'value'>;

/** Remembers a rejected choice, except one that determines the price: its default would cost a different amount. */
export async function saveRefusedChoice(
  { db, clock, providerOf }: ChoiceOptions,
  { tool, input }: Row<'generations', 'tool' | 'input'>,
  field: string,
): Promise<void> {
  const known = getTool(tool).fields[field];
  const value = input[field];
  if (known?.kind !== 'choice' || known.costs !== undefined || value === undefined) return;
  await sql`
    insert into refused_choices (tool, system, field, value, refused_at)
    values (${tool}, ${providerOf(tool).systemOf(tool)}, ${field}, ${value}, ${clock.now()})
    on conflict (tool, system, field, value) do update set refused_at = excluded.refused_at`.execute(db);
}

/** The choices of each tool without those rejected within a day; all of them while the database is unavailable. */
export async function readAbilities({ db, clock, providerOf }: ChoiceOptions): Promise<(tool: ToolId) => Abilities> {
  const isHosted = toolIds.some((tool) => providerOf(tool).servedBy.kind === 'provider');
  const found = sql<RefusedChoice>`
    select tool, system, field, value from refused_choices
    where refused_at > ${secondsAfter(clock.now(), -RETENTION_SECONDS)}`;
  const emptyIfUnavailable = (error: unknown) => {
    if (isDatabaseUnavailable(error)) return { rows: [] };
    throw error;
  };
  const { rows } = isHosted ? await found.execute(db).catch(emptyIfUnavailable) : { rows: [] };
  return (tool) => {
    const { abilities, systemOf } = providerOf(tool);
    return rows.filter((one) => one.tool === tool && one.system === systemOf(tool)).reduce(withoutChoice, abilities);
  };
}

function withoutChoice(abilities: Abilities, { tool, field, value }: RefusedChoice): Abilities {
  const known = getTool(tool).fields[field];
  const values = abilities.choices?.[field] ?? (known?.kind === 'choice' ? known.values : []);
  return { ...abilities, choices: { ...abilities.choices, [field]: values.filter((one) => one !== value) } };
}
