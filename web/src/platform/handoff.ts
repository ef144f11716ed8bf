import type { ToolId } from '@plinth/contract/tools';
import { withStore, type Entry } from './storage/database.ts';

/** What a visitor takes through sign-in: the tool, the photo, and a text if the tool needs one. */
export type Handoff = { toolId: ToolId; photo: File; words: string | null };

/** Owner of entries stored while nobody is signed in. */
const KEY = 'visitor brought';

/** Stores it in this browser until it is taken out. @throws if the browser has no storage */
export function storeHandoff(handoff: Handoff): Promise<void> {
  return withStore('readwrite', (store) => store.put({ key: KEY, at: Date.now(), value: handoff } satisfies Entry));
}

/** Takes out the entry of this tool, once; null if there is none. */
export async function takeHandoff(toolId: ToolId): Promise<Handoff | null> {
  const stored = await withStore<{ value: Handoff } | undefined>('readonly', (store) => store.get(KEY));
  if (stored?.value.toolId !== toolId) return null;
  const { photo, words } = stored.value;
  // Reads the bytes now: they belong to the database.
  const own = new File([await photo.arrayBuffer()], photo.name, photo);
  await withStore('readwrite', (store) => store.delete(KEY));
  return { toolId, words, photo: own };
}
