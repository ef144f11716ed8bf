import { RunningCards } from '../generations/tray/RunningCards.tsx';
import { unfinished, useFollowed } from '../generations/followed.ts';
import { ViewedActions } from '../generations/tries/ViewedActions.tsx';
import { ExportButton } from '../packs/ExportButton.tsx';
import { HistoryScreen } from '../media/HistoryScreen.tsx';

export function HistoryWithRunning() {
  const { followed, isAsked } = useFollowed();
  const running = unfinished(followed);
  return (
    <HistoryScreen
      running={<RunningCards running={running} />}
      runningCount={running.length}
      isRunningKnown={!isAsked}
      actions={(media) => (
        <>
          <ExportButton mediaId={media.id} toolId={media.tool} {...media} />
          <ViewedActions key={media.id} media={media} />
        </>
      )}
    />
  );
}
