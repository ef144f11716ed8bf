import { useQueryClient } from '@tanstack/react-query';
import type { ToolId } from '@plinth/contract/tools';
import { CreditLedger } from './credits/CreditLedger.tsx';
import { RunningCards } from './generations/RunningCards.tsx';
import { unfinished } from './generations/running.ts';
import { ToolScreen } from './generations/ToolScreen.tsx';
import { useFollowed } from './generations/useFollowed.ts';
import { HistoryScreen } from './media/HistoryScreen.tsx';
import { CreditsScreen } from './payments/CreditsScreen.tsx';
import { useUser } from './SignedIn.tsx';

// Screens that show something of two rooms, or need to know who is signed in.

export function screenOfTool(toolId: ToolId) {
  return function ScreenOfTool() {
    return <ToolScreen key={toolId} toolId={toolId} userId={useUser().id} />;
  };
}

export function HistoryWithRunning() {
  const { followed } = useFollowed(useQueryClient());
  const running = unfinished(followed);
  return (
    <HistoryScreen running={<RunningCards running={running} userId={useUser().id} />} runningCount={running.length} />
  );
}

export function CreditsWithLedger() {
  return <CreditsScreen ledger={<CreditLedger />} />;
}
