import type { SelectType } from 'kysely';
import type { DB } from './tables.d.ts';

/** Columns of a table as a query gives them, in camel case: `Row<'runs', 'id'> & { computed: number }`. */
export type Row<Table extends keyof DB, Column extends keyof DB[Table]> = {
  [Name in Column]: SelectType<DB[Table][Name]>;
};
/** One column as a query gives it, for what a query calls by another name. */
export type Column<Table extends keyof DB, Name extends keyof DB[Table]> = SelectType<DB[Table][Name]>;
