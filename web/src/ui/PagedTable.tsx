import type { ReactNode } from 'react';
import { Loaded, ShowMore, type LoadedQuery, type MoreOf } from './Loaded.tsx';

type Column<Item> = {
  head: string;
  isOptional?: boolean;
  cell: (item: Item) => ReactNode;
};

type PagedTableProps<Item> = {
  list: LoadedQuery<Item[]> & MoreOf;
  label: string;
  /** What is said where it failed. */
  failed: string;
  none: ReactNode;
  columns: readonly Column<Item>[];
  acts?: ReactNode;
};

export function PagedTable<Item extends { id: string }>(props: PagedTableProps<Item>) {
  const { list, label, failed, none, columns, acts } = props;
  return (
    <Loaded query={list} failed={failed}>
      {(items) =>
        items.length === 0 ? (
          <p className="small">{none}</p>
        ) : (
          <>
            <table className="data-table paged-table figures" aria-label={label}>
              <thead>
                <tr>
                  {columns.map(({ head, isOptional }) => (
                    <th key={head} scope="col" className={isOptional ? 'optional' : undefined}>
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.id}>
                    {columns.map(({ head, isOptional, cell }) => (
                      <td key={head} className={isOptional ? 'optional' : undefined}>
                        {cell(item)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <div className="cluster way-on">
              <ShowMore list={list} />
              {acts}
            </div>
          </>
        )
      }
    </Loaded>
  );
}
