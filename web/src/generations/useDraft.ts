import { useEffect } from 'react';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { ToolField } from '@plinth/contract/tool';
import { takeBrought } from '../platform/brought-along.ts';
import { checkImage, type PickedImage } from './check-image.ts';
import { changeField, withoutPictures, type Draft } from './drafts.ts';
import { changeTool, readTool, useMemory } from './memory.ts';

/**
 * The form of one tool. It outlives its screen and its page: what was typed or chosen is there again after a reload, a
 * sign-in, a checkout, for 48 hours. What was chosen from a list is remembered until somebody signs out.
 */
export function useDraft(toolId: ToolId) {
  const draft = useMemory((memory) => readTool(toolId, memory).draft);
  useBrought(toolId);
  const change = (changed: (draft: Draft) => Draft) => changeTool(toolId, { draft: changed(readTool(toolId).draft) });
  return {
    draft,
    setField: (name: string, value: PickedImage | string | null) =>
      change((now) => changeField(toolId, now, name, value)),
    change,
    startAfresh: () => change((now) => withoutPictures(toolId, now)),
  };
}

function useBrought(toolId: ToolId): void {
  useEffect(() => {
    readBrought(toolId).then(
      (brought) => changeTool(toolId, { draft: { ...readTool(toolId).draft, ...brought } }),
      () => undefined, // Private windows keep nothing.
    );
  }, [toolId]);
}

async function readBrought(toolId: ToolId): Promise<Draft> {
  const brought = await takeBrought(toolId);
  if (brought === null) return {};
  const found: Record<string, PickedImage | string> = {};
  for (const [name, field] of Object.entries<ToolField>(tools[toolId].fields)) {
    if (field.kind === 'text' && brought.words !== null) found[name] = brought.words;
    if (field.kind !== 'image') continue;
    const { image } = await checkImage(brought.photo, field);
    if (image !== null) found[name] = image;
  }
  return found;
}
