import type { ToolId } from '@plinth/contract/tools';
import { ToolScreen } from './generations/ToolScreen.tsx';
import { useUser } from './SignedIn.tsx';

/** The tool screen knows who works on it. */
export function ToolOfUser({ toolId }: { toolId: ToolId }) {
  return <ToolScreen key={toolId} toolId={toolId} userId={useUser().id} />;
}
