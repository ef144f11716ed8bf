import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { Marks } from '@plinth/contract/marks';
import type { Step } from '../marks/marks.ts';
import { inStore } from '../platform/browser-store.ts';

/** The marks of one generation: what it was made with, and what was painted and not sent. */
type MarksOfOne = { sent?: Marks; steps?: readonly Step[] };
/** Lies beside the fields of the forms, and goes with them after 48 hours. */
type KeptMarks = { key: string; keptAt: number; value: MarksOfOne };

const keyOf = (generationId: string) => `marks ${generationId}`;

export async function readKeptMarks(userId: string, generationId: string, now = Date.now()): Promise<MarksOfOne> {
  const kept = await inStore<KeptMarks | undefined>(userId, 'drafts', 'readonly', (store) =>
    store.get(keyOf(generationId)),
  );
  return kept === undefined || now - kept.keptAt >= MEDIA_TTL_SECONDS * 1000 ? {} : kept.value;
}

/** Keeps one part; the other stays as it was. */
export async function keepMarks(
  userId: string,
  generationId: string,
  part: MarksOfOne,
  now = Date.now(),
): Promise<void> {
  const before = await readKeptMarks(userId, generationId, now);
  const kept: KeptMarks = { key: keyOf(generationId), keptAt: now, value: { ...before, ...part } };
  await inStore(userId, 'drafts', 'readwrite', (store) => store.put(kept));
}
