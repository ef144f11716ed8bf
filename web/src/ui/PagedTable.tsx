import type { ReactNode } from 'react';
import { DataTable, type Column } from './DataTable.tsx';
import { Loaded, ShowMore, type LoadedQuery, type MoreOf } from './Loaded.tsx';

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
