import { isToolId, type ToolId } from '@plinth/contract/tools';

const KEY = 'plinth-unfinished';

/** The tool whose form waits for credits. It outlives the page, because paying leads away from it. */
export function rememberUnfinished(toolId: ToolId): void {
  localStorage.setItem(KEY, toolId);
}

export function forgetUnfinished(): void {
  localStorage.removeItem(KEY);
}

export function findUnfinished(): ToolId | null {
  const toolId = localStorage.getItem(KEY) ?? '';
  return isToolId(toolId) ? toolId : null;
}
