import type { Abilities } from '@plinth/contract/tool-fields';
import type { ToolId } from '@plinth/contract/tools';
import { sql } from 'kysely';
import { type Clock, secondsAfter } from '../platform/clock.ts';
import { type Db, isDatabaseAway } from '../platform/data/db.ts';
import type { Row } from '../platform/data/rows.ts';
import type { Provider } from '../providers/provider.ts';
import { getTool } from './generation-view.ts';

/** What a model refused of a tool's choices: whoever sent it has the credits back, and nobody sends it next. */

/** Models change: after a day it is tried again. */
const KEPT_SECONDS = 86_400;

export type ChoiceOptions = { db: Db; clock: Clock; providerOf: (tool: ToolId) => Provider };

/** Remembers a refused choice; not one that sets the price, whose default would cost another sum. */
export async function keepRefusedChoice(
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

type RefusedChoice = Row<'refusedChoices', 'tool' | 'system' | 'field' | 'value'>;

/** Those of the last day, of all tools; none while the database is away. */
export async function readRefusedChoices({ db, clock }: Pick<ChoiceOptions, 'db' | 'clock'>): Promise<RefusedChoice[]> {
  const found = sql<RefusedChoice>`
    select tool, system, field, value from refused_choices
    where refused_at > ${secondsAfter(clock.now(), -KEPT_SECONDS)}`.execute(db);
  return found.then(
    ({ rows }) => rows,
    (error: unknown) => {
      if (isDatabaseAway(error)) return [];
      throw error;
    },
  );
}

/** What a tool takes, without what was refused. */
export function findAbilities(
  { providerOf }: Pick<ChoiceOptions, 'providerOf'>,
  tool: ToolId,
  refused: readonly RefusedChoice[],
): Abilities {
  const { abilities, systemOf } = providerOf(tool);
  const own = refused.filter((one) => one.tool === tool && one.system === systemOf(tool));
  if (own.length === 0) return abilities;
  const choices = { ...abilities.choices };
  for (const { field, value } of own) {
    const known = getTool(tool).fields[field];
    const made = choices[field] ?? (known?.kind === 'choice' ? known.values : []);
    choices[field] = made.filter((one) => one !== value);
  }
  return { ...abilities, choices };
}

/** What a tool takes now. */
export const readAbilities = async (options: ChoiceOptions, tool: ToolId): Promise<Abilities> =>
  findAbilities(options, tool, await readRefusedChoices(options));
