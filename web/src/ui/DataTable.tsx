import type { ReactNode } from 'react';
import { Loaded, ShowMore, type LoadedQuery, type MoreOf } from './Loaded.tsx';

type Column<Item> = {
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
            {columns.map(({ head, isOptional, isHead, cell }) => {
              const Cell = isHead ? 'th' : 'td';
              return (
                <Cell key={head} scope={isHead ? 'row' : undefined} className={look(isOptional)}>
                  {cell(row)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type PagedTableProps<Item> = {
  list: LoadedQuery<Item[]> & MoreOf;
  label: string;
  failed: string;
  none: ReactNode;
  columns: readonly Column<Item>[];
  actions?: ReactNode;
};

export function PagedTable<Item extends { id: string }>(props: PagedTableProps<Item>) {
  const { list, label, failed, none, columns, actions } = props;
  return (
    <Loaded query={list} failed={failed}>
      {(items) =>
        items.length === 0 ? (
          <p className="small">{none}</p>
        ) : (
          <>
            <DataTable
              label={label}
              className="paged-table figures"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
            />
            <div className="cluster way-on">
              <ShowMore list={list} />
              {actions}
            </div>
          </>
        )
      }
    </Loaded>
  );
}
