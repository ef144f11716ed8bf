import type { ReactNode } from 'react';

export type Column<Item> = {
  head: string;
  isOptional?: boolean;
  isHead?: boolean;
  cell: (item: Item) => ReactNode;
};

type DataTableProps<Item> = {
  label?: string;
  className?: string;
  columns: readonly Column<Item>[];
  rows: readonly Item[];
  keyOf: (item: Item) => string | number;
};

export function DataTable<Item>({ label, className = 'figures', columns, rows, keyOf }: DataTableProps<Item>) {
  const look = (isOptional?: boolean) => (isOptional ? 'optional' : undefined);
  return (
    <table className={`data-table ${className}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ head, isOptional }) => (
            <th key={head} scope="col" className={look(isOptional)}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ head, isOptional, isHead, cell }) =>
              isHead ? (
                <th key={head} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={head} className={look(isOptional)}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
