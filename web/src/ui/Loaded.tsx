import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Delayed } from './Delayed.tsx';
import { ErrorBox } from './ErrorBox.tsx';

type LoadedProps<Data> = {
  query: { data: Data | undefined; isError: boolean; refetch: () => Promise<unknown> };
  /** What is said where it failed. */
  failed: string;
  /** Stands in its place until it is there. */
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a query brings; until then what waits for it, and where it failed the way to ask again. */
export function Loaded<Data>({ query, failed, waiting, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.isError) return waiting === undefined ? <div className="skeleton row-wait" /> : waiting;
  return <ErrorBox action={<Button onClick={() => void query.refetch()}>Try again</Button>}>{failed}</ErrorBox>;
}

/** A wait that is long enough to be said. */
export function Loading({ what }: { what: string }) {
  return (
    <Delayed>
      <p className="notice" role="status">
        <span className="spinner" aria-hidden="true" />
        Loading {what}
      </p>
    </Delayed>
  );
}

type ShowMoreProps = {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
};

/** The next page of a list, where there is one. */
export function ShowMore({ list }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button busy={list.isFetchingNextPage && 'Loading...'} onClick={() => void list.fetchNextPage()}>
      Show more
    </Button>
  );
}
