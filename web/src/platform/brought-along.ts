import type { ToolId } from '@plinth/contract/tools';
import { inStore, type Entry } from './kept/browser-store.ts';

/** What a visitor takes along through the door: the tool, the photo, and words where the tool asks for some. */
export type Brought = { toolId: ToolId; photo: File; words: string | null };

/** Nobody's, as long as nobody is signed in. */
const KEY = 'visitor brought';

/** Keeps it in this browser until it is taken out again. @throws where the browser keeps nothing */
export function bringAlong(brought: Brought): Promise<void> {
  return inStore('readwrite', (store) => store.put({ key: KEY, at: Date.now(), value: brought } satisfies Entry));
}

/** Takes out what was brought for this tool, once; null where nothing was. */
export async function takeBrought(toolId: ToolId): Promise<Brought | null> {
  const kept = await inStore<{ value: Brought } | undefined>('readonly', (store) => store.get(KEY));
  if (kept?.value.toolId !== toolId) return null;
  const { photo, words } = kept.value;
  // Its bytes now: they are the database's.
  const own = new File([await photo.arrayBuffer()], photo.name, photo);
  await inStore('readwrite', (store) => store.delete(KEY));
  return { toolId, words, photo: own };
}
