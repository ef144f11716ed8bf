import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Delayed } from './Delayed.tsx';
import { ErrorBox } from './ErrorBox.tsx';

export type LoadedQuery<Data> = { data: Data | undefined; isError: boolean; refetch: () => Promise<unknown> };

type LoadedProps<Data> = {
  query: LoadedQuery<Data>;
  failed: string;
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
};

export function Loaded<Data>({ query, failed, waiting, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return waiting === undefined ? <div className="skeleton row-wait" /> : waiting;
  return <ErrorBox action={<Button onClick={() => void query.refetch()}>Try again</Button>}>{failed}</ErrorBox>;
}

export function Loading({ what }: { what: string }) {
  return (
    <Delayed>
      <p className="small in-line" role="status">
        <span className="spinner" aria-hidden="true" />
        Loading {what}
      </p>
    </Delayed>
  );
}

export type MoreOf = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

export function ShowMore({ list }: { list: MoreOf }) {
  if (!list.hasNextPage) return null;
  return (
    <Button busy={list.isFetchingNextPage && 'Loading...'} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
}
