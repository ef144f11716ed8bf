import { RunningCards } from '../generations/tray/RunningCards.tsx';
import { unfinished } from '../generations/running.ts';
import { useFollowed } from '../generations/useFollowed.ts';
import { ViewedActs } from '../generations/tries/ViewedActs.tsx';
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
      acts={(media) => (
        <>
          <ExportButton mediaId={media.id} toolId={media.tool} {...media} />
          <ViewedActs key={media.id} media={media} />
        </>
      )}
    />
  );
}
