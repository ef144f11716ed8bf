import type { SelectType } from 'kysely';
import type { DB } from './tables.d.ts';

/** Columns of a table as queries return them, in camel case: `Row<'runs', 'id'> & { computed: number }`. */
export type Row<Table extends keyof DB, Column extends keyof DB[Table]> = {
  [Name in Column]: SelectType<DB[Table][Name]>;
};
/** The type of one column, for queries that rename it. */
export type Column<Table extends keyof DB, Name extends keyof DB[Table]> = SelectType<DB[Table][Name]>;
