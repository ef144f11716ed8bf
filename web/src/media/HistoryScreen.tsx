import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Link } from '@tanstack/react-router';
import { sentences } from '@plinth/contract/errors';
import type { Media } from '@plinth/contract/media';
import { toolIds, tools } from '@plinth/contract/tools';
import { useNow } from '../platform/clock.ts';
import { useApi } from '../platform/useApi.ts';
import { Button } from '../ui/Button.tsx';
import { buttonClass } from '../ui/button-class.ts';
import { Delayed } from '../ui/Delayed.tsx';
import { EmptyPlinth } from '../ui/EmptyPlinth.tsx';
import { ErrorBox } from '../ui/ErrorBox.tsx';
import { Icon } from '../ui/icons.tsx';
import { ScreenHead } from '../ui/ScreenHead.tsx';
import { downloadAll } from './download.ts';
import { MediaCard } from './MediaCard.tsx';
import './media.css';
import { useDeletions, useMediaList } from './useMediaList.ts';

const FADE_MS = 300;

/** `running` are the cards of generations that have no result yet; they stand first. */
export function HistoryScreen({ running, runningCount }: { running: ReactNode; runningCount: number }) {
  const list = useMediaList();
  const deletions = useDeletions();
  const now = useNow(1000);
  const all = list.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = all.filter(({ id, expiresAt }) => !deletions.hidden.has(id) && Date.parse(expiresAt) + FADE_MS > now);
  const cards = useRef<HTMLUListElement>(null);
  const [deletedAt, setDeletedAt] = useState<{ index: number } | null>(null);
  useFocusAfterDeletion(cards, deletedAt);
  const isEmpty = list.isSuccess && shown.length === 0 && runningCount === 0;
  return (
    <>
      <ScreenHead
        title="Generated Media History"
        line="Everything you made in the last 48 hours. Download what you want to keep."
        right={shown.length > 1 && <DownloadAll media={shown} />}
      />
      {list.isPending && (
        <Delayed>
          <p className="note" role="status">
            <span className="spin" aria-hidden="true" />
            Loading your history
          </p>
        </Delayed>
      )}
      {list.isError && (
        <ErrorBox action={<Button onClick={() => void list.refetch()}>Try again</Button>}>
          {sentences.mediaLoadFailed}
        </ErrorBox>
      )}
      {isEmpty && <NothingYet />}
      {(shown.length > 0 || runningCount > 0) && (
        <ul className="grid-cards" ref={cards}>
          {running}
          {shown.map((media, index) => (
            <MediaCard
              key={media.id}
              media={media}
              now={now}
              onDelete={() => {
                setDeletedAt({ index: runningCount + index });
                deletions.add(media.id);
              }}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="mt-10 grid justify-items-center">
          <Button busy={list.isFetchingNextPage && 'Loading...'} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {deletions.undoable !== null && <UndoBar key={deletions.undoable} onUndo={deletions.undo} />}
    </>
  );
}

/** The card that takes the place of the deleted one, or the last one, or the heading. */
function useFocusAfterDeletion(cards: RefObject<HTMLUListElement | null>, deletedAt: { index: number } | null): void {
  useEffect(() => {
    if (deletedAt === null) return;
    // The menu gives the focus back to its button first, and with that to nothing.
    const timer = setTimeout(() => {
      const left = [...(cards.current?.children ?? [])];
      const next = (left[deletedAt.index] ?? left.at(-1))?.querySelector<HTMLElement>('button,a');
      (next ?? document.querySelector('h1'))?.focus();
    });
    return () => clearTimeout(timer);
  }, [cards, deletedAt]);
}

function NothingYet() {
  const first = toolIds[0];
  return (
    <div className="void">
      <h2 className="t2">No media found</h2>
      <p className="small">Start generating images or videos to see them here!</p>
      {first !== undefined && (
        <Link className={`${buttonClass({ look: 'primary' })} mt-3.5`} to={`/dashboard/${first}`}>
          {tools[first].title}
          <Icon name="forward" />
        </Link>
      )}
      <EmptyPlinth />
    </div>
  );
}

function DownloadAll({ media }: { media: Media[] }) {
  const api = useApi();
  const [isBusy, setIsBusy] = useState(false);
  const handleClick = async () => {
    setIsBusy(true);
    await downloadAll(api, media, sentences.downloadMediaFailed);
    setIsBusy(false);
  };
  return (
    <Button icon={<Icon name="download" />} busy={isBusy && 'Downloading...'} onClick={() => void handleClick()}>
      {`Download ${media.length}`}
    </Button>
  );
}

function UndoBar({ onUndo }: { onUndo: () => void }) {
  return (
    <div className="undo" role="status">
      <Icon name="trash" />
      <span>Deleted</span>
      <Button onClick={onUndo}>Undo</Button>
    </div>
  );
}
