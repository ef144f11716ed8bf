import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { ToolId } from '@plinth/contract/tools';
import { forgetKept, inStore, keepAgain } from './browser-store.ts';

/** What a visitor takes along through the door: the tool, the photo, and words where the tool asks for some. */
export type Brought = { toolId: ToolId; photo: File; words: string | null };

type Kept = Brought & { key: string; at: number };

/** Stands where a person's id does, as long as nobody is signed in. */
const VISITOR = 'visitor';
const KEY = 'brought';

/** Keeps it in this browser until it is taken out again. @throws where the browser keeps nothing */
export function bringAlong(brought: Brought, now = Date.now()): Promise<void> {
  keepAgain(VISITOR);
  return inStore(VISITOR, 'readwrite', (store) => store.put({ ...brought, key: KEY, at: now } satisfies Kept));
}

/** Takes out what was brought for this tool, once and within 48 hours; null where nothing was. */
export async function takeBrought(toolId: ToolId, now = Date.now()): Promise<Brought | null> {
  const kept = await inStore<Kept | undefined>(VISITOR, 'readonly', (store) => store.get(KEY));
  if (kept === undefined) return null;
  const { photo, words, at } = kept;
  const isOld = !(now - at < MEDIA_TTL_SECONDS * 1000);
  if (kept.toolId !== toolId && !isOld) return null;
  // Its bytes now: they are the database's.
  const own = isOld ? null : new File([await photo.arrayBuffer()], photo.name, photo);
  await forgetKept(VISITOR);
  return own && { toolId, words, photo: own };
}
