export const UNDO_MS = 6000;

export type Deletions = {
  /** Hides the item now; it is deleted on the server when the time to undo is over. */
  add: (mediaId: string) => void;
  undo: () => void;
  flush: () => void;
};

type DeletionsOptions = {
  send: (mediaId: string) => Promise<void>;
  /** The ids that are hidden, and the one that can still be undone. */
  onChange: (hidden: ReadonlySet<string>, undoable: string | null) => void;
  onFailed: (mediaId: string) => void;
  undoMs?: number;
};

/** Undo in place of "are you sure". One deletion waits at a time: the next one sends the one before it. */
export function createDeletions({ send, onChange, onFailed, undoMs = UNDO_MS }: DeletionsOptions): Deletions {
  const hidden = new Set<string>();
  let waiting: { mediaId: string; timer: ReturnType<typeof setTimeout> } | null = null;
  const tell = () => onChange(new Set(hidden), waiting?.mediaId ?? null);

  const sendWaiting = () => {
    if (waiting === null) return;
    const { mediaId, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    send(mediaId).catch(() => {
      hidden.delete(mediaId);
      onFailed(mediaId);
      tell();
    });
  };
  const flush = () => {
    if (waiting === null) return;
    sendWaiting();
    tell();
  };
  return {
    add(mediaId) {
      sendWaiting();
      hidden.add(mediaId);
      waiting = { mediaId, timer: setTimeout(flush, undoMs) };
      tell();
    },
    undo() {
      if (waiting === null) return;
      clearTimeout(waiting.timer);
      hidden.delete(waiting.mediaId);
      waiting = null;
      tell();
    },
    flush,
  };
}
