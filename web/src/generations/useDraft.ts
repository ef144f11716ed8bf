import { useEffect } from 'react';
import { tools, type ToolId } from '@plinth/contract/tools';
import type { ToolField } from '@plinth/contract/tool';
import { takeBrought } from '../platform/brought-along.ts';
import { checkImage, type PickedImage } from './check-image.ts';
import type { Draft } from './drafts.ts';
import { changeDraft, readDraft, useMemory } from './memory.ts';

/**
 * The form of one tool. It outlives its screen and its page: what was typed or chosen is there again after a reload, a
 * sign-in, a checkout, for 48 hours. What was chosen from a list is remembered until somebody signs out.
 */
export function useDraft(toolId: ToolId): Draft {
  useEffect(() => {
    readBrought(toolId).then(
      (brought) => changeDraft(toolId, (draft) => ({ ...draft, ...brought })),
      () => undefined, // Private windows keep nothing.
    );
  }, [toolId]);
  return useMemory((memory) => readDraft(toolId, memory));
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
