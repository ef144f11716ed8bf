import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { ToolId } from '@plinth/contract/tools';
import { forgetKept, inStore, keepAgain } from './browser-store.ts';

/** What a visitor takes along through the door: the tool, the photo, and words where the tool asks for some. */
export type Brought = { toolId: ToolId; photo: File; words: string | null };

type Kept = Omit<Brought, 'photo'> & { key: string; keptAt: number; blob: Blob; fileName: string };

/** Stands where a person's id does, as long as nobody is signed in. */
const VISITOR = 'visitor';
const KEY = 'brought';

/** Keeps it in this browser until it is taken out again. @throws where the browser keeps nothing */
export function bringAlong({ toolId, photo, words }: Brought, now = Date.now()): Promise<void> {
  keepAgain(VISITOR);
  const kept: Kept = { key: KEY, keptAt: now, toolId, words, blob: photo, fileName: photo.name };
  return inStore(VISITOR, 'readwrite', (store) => store.put(kept));
}

/** Takes out what was brought for this tool, once and within 48 hours; null where nothing was. */
export async function takeBrought(toolId: ToolId, now = Date.now()): Promise<Brought | null> {
  const kept = await inStore<Kept | undefined>(VISITOR, 'readonly', (store) => store.get(KEY));
  if (kept === undefined || (kept.toolId !== toolId && !isOld(kept, now))) return null;
  const { words, blob, fileName } = kept;
  // Its bytes now: they are the database's.
  const photo = new File([await blob.arrayBuffer()], fileName, { type: blob.type });
  await forgetKept(VISITOR);
  return isOld(kept, now) ? null : { toolId, words, photo };
}

const isOld = ({ keptAt }: Kept, now: number) => now - keptAt >= MEDIA_TTL_SECONDS * 1000;
