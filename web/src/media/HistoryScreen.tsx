import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import { ARCHIVE_MAX_IDS } from '@plinth/contract/limits';
import type { Media } from '@plinth/contract/media';
import { toolIds, tools } from '@plinth/contract/tools';
import { useNow } from '../platform/clock.ts';
import { useOnline } from '../platform/online.ts';
import { UndoBar } from '../ui/above/UndoBar.tsx';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/icons.tsx';
import { Loading, ShowMore } from '../ui/Loaded.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { downloadArchive } from './download.ts';
import { HistoryTools, useMediaFilter } from './HistoryTools.tsx';
import { MediaCard } from './MediaCard.tsx';
import './media.css';
import { SelectionBar, useSelection } from './SelectionBar.tsx';
import { useMediaList } from './media-queries.ts';
import { useDeletions } from './useDeletions.ts';
import { useViewed } from './useViewed.ts';
import { lazyPart } from '../ui/lazyPart.tsx';

const Viewer = lazyPart(async () => (await import('./Viewer.tsx')).Viewer);
const FADE_MS = 300;
const STEP_MS = 10_000;

type HistoryScreenProps = {
  running: ReactNode;
  runningCount: number;
  /** False until the server listed what runs: those cards come first. */
  isRunningKnown: boolean;
  actions: (media: Media) => ReactNode;
};

export function HistoryScreen({ running, runningCount, isRunningKnown, actions }: HistoryScreenProps) {
  const list = useMediaList();
  const { data, hasNextPage, isFetchingNextPage } = list;
  const deletions = useDeletions();
  const isReady = data !== undefined && isRunningKnown;
  const loaded = isReady ? data : [];
  const now = useExpiryClock(loaded);
  const all = loaded.filter(({ id, expiresAt }) => !deletions.hidden.has(id) && Date.parse(expiresAt) + FADE_MS > now);
  const filter = useMediaFilter(all, !hasNextPage);
  const selection = useSelection();
  const shown = filter.found;
  const viewed = useViewed(shown);
  const cards = useRef<HTMLUListElement>(null);
  const focusCard = useFocusCard(cards);
  useMorePages(list, filter.isOn || viewed.isLast);
  // Without those waiting to be deleted, once the list is loaded. The server's total may already exclude deleted ones.
  const isExact = deletions.waiting.length > 0 && !hasNextPage && shown.length <= ARCHIVE_MAX_IDS;
  const ids = filter.isOn || isExact ? shown.map(({ id }) => id) : null;
  const isEmpty = isReady && all.length === 0 && runningCount === 0;
  const remove = (media: Media) => {
    focusCard((filter.isOn ? 0 : runningCount) + shown.indexOf(media));
    deletions.add(media.id);
  };
  const removeChosen = (chosen: readonly string[]) => {
    selection.choose(null);
    focusCard();
    deletions.add(...chosen);
  };
  /** The button for more, and with it the focus, disappears with the last page. */
  const showMore = async () => {
    const read = await list.fetchNextPage();
    if (!read.hasNextPage) focusCard(runningCount + shown.length);
  };
  const undo = () => {
    deletions.undo();
    focusCard();
  };
  return (
    <>
      <ScreenHead
        title="Generated Media History"
        line="Everything you made in the last 48 hours. Download what you want to keep."
        right={all.length > 1 && <HeadActions ids={ids} isFound={filter.isOn} onSelect={() => selection.choose([])} />}
      />
      {all.length > 1 && <HistoryTools filter={filter} />}
      <Waiting list={list} isReady={isReady} />
      {isEmpty && <NothingYet />}
      {filter.isOn && shown.length === 0 && all.length > 0 && (
        <NothingFound words={filter.words.trim()} onShowAll={filter.showAll} />
      )}
      {isReady && (shown.length > 0 || runningCount > 0) && (
        <ul className="grid-cards" ref={cards}>
          {!filter.isOn && running}
          {shown.map((media) => (
            <MediaCard
              key={media.id}
              media={media}
              now={now}
              picking={selection.pickingOf(media.id)}
              onDelete={() => remove(media)}
            />
          ))}
        </ul>
      )}
      <div className="show-more">
        <ShowMore list={{ hasNextPage, isFetchingNextPage, fetchNextPage: showMore }} />
      </div>
      {selection.chosen !== null && <SelectionBar shown={shown} selection={selection} onDelete={removeChosen} />}
      {deletions.waiting.length > 0 && (
        <UndoBar key={deletions.waiting.join()} says={sayDeleted(deletions.waiting.length)} onUndo={undo} />
      )}
      <Viewed viewed={viewed} actions={actions} onDelete={remove} />
    </>
  );
}

const sayDeleted = (count: number) => (count === 1 ? 'Deleted' : `${count} deleted`);

/** The current time, in seconds while one of these expires soon: each step renders hundreds of cards. */
function useExpiryClock(loaded: readonly Media[]): number {
  const about = useNow(STEP_MS);
  const isEnding = loaded.some(({ expiresAt }) => Math.abs(Date.parse(expiresAt) - about) < 2 * STEP_MS);
  return useNow(isEnding ? 1000 : STEP_MS);
}

type ViewedProps = Pick<HistoryScreenProps, 'actions'> & {
  viewed: ReturnType<typeof useViewed>;
  onDelete: (media: Media) => void;
};

function Viewed({ viewed: { media, leave, isLast: _isLast, ...ways }, actions, onDelete }: ViewedProps) {
  if (media === undefined) return null;
  const handleDelete = () => {
    onDelete(media);
    leave();
  };
  return <Viewer {...ways} media={media} actions={actions(media)} onDelete={handleDelete} />;
}

/** The search result may be on a page not yet loaded, as may the next result of the large view. */
function useMorePages(list: UseInfiniteQueryResult, isWanted: boolean): void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  // After an error only the user retries.
  const isDue = isWanted && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}

function Waiting({ list, isReady }: { list: UseInfiniteQueryResult; isReady: boolean }) {
  const isOnline = useOnline();
  if (list.isError) {
    return (
      <ErrorBox action={<Button onClick={() => void list.refetch()}>Try again</Button>}>
        {sentences.mediaLoadFailed}
      </ErrorBox>
    );
  }
  if (isReady) return null;
  if (isOnline) return <Loading what="your history" />;
  return <EmptyState title="Your history needs a connection" line="It appears here as soon as you are back." />;
}

type HeadActionsProps = {
  ids: string[] | null;
  isFound: boolean;
  onSelect: () => void;
};

function HeadActions({ ids, isFound, onSelect }: HeadActionsProps) {
  const api = useApi();
  const count = ids?.length;
  return (
    <div className="cluster at-end head-ways">
      <Button disabled={count === 0} onClick={onSelect}>
        Select
      </Button>
      <Button
        icon={<Icon name="download" />}
        asksServer
        disabled={count === 0 || (count ?? 0) > ARCHIVE_MAX_IDS}
        onClick={() => void downloadArchive(api, ids)}
      >
        {isFound ? `Download ${count}` : 'Download all'}
      </Button>
    </div>
  );
}

function NothingFound({ words, onShowAll }: { words: string; onShowAll: () => void }) {
  return (
    <EmptyState title={words === '' ? 'No results' : `No results for “${words}”`}>
      <Button onClick={onShowAll}>Show everything</Button>
    </EmptyState>
  );
}

/** Focuses the card at an index, or at the last index, once the remaining cards are rendered. */
function useFocusCard(cards: RefObject<HTMLUListElement | null>): (index?: number) => void {
  const place = useRef(0);
  return (index = place.current) => {
    place.current = index;
    // The menu first returns the focus to its button, which is gone by then.
    setTimeout(() => {
      const left = [...(cards.current?.children ?? [])];
      const next = (left[index] ?? left.at(-1))?.querySelector<HTMLElement>('button,a');
      (next ?? document.querySelector('h1'))?.focus();
    });
  };
}

function NothingYet() {
  const first = toolIds[0];
  return (
    <EmptyState title="No media found" line="Start generating images or videos to see them here!">
      {first !== undefined && (
        <Link className={buttonClass({ look: 'primary' })} to={`/dashboard/${first}`}>
          {tools[first].title}
          <Icon name="forward" />
        </Link>
      )}
    </EmptyState>
  );
}
