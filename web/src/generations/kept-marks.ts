import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { Marks } from '@plinth/contract/marks';
import type { Step } from '../marks/marks.ts';
import { inStore } from '../platform/browser-store.ts';

/** The marks of one generation: what it was made with, and what was painted and not sent. */
type MarksOfOne = { sent?: Marks; steps?: readonly Step[] };
/** Lies beside the fields of the forms, and goes with them after 48 hours. */
type KeptPart<Part extends keyof MarksOfOne> = { key: string; keptAt: number; value: NonNullable<MarksOfOne[Part]> };

const keyOf = (part: keyof MarksOfOne, generationId: string) => `marks ${part} ${generationId}`;

export async function readKeptMarks(userId: string, generationId: string, now = Date.now()): Promise<MarksOfOne> {
  const read = async <Part extends keyof MarksOfOne>(part: Part): Promise<MarksOfOne[Part] | undefined> => {
    const kept = await inStore<KeptPart<Part> | undefined>(userId, 'drafts', 'readonly', (store) =>
      store.get(keyOf(part, generationId)),
    );
    return kept === undefined || now - kept.keptAt >= MEDIA_TTL_SECONDS * 1000 ? undefined : kept.value;
  };
  const [sent, steps] = await Promise.all([read('sent'), read('steps')]);
  return { ...(sent && { sent }), ...(steps && { steps }) };
}

/** Keeps one part without a look at the other: a stroke is kept also where the page goes away right behind it. */
export async function keepMarks<Part extends keyof MarksOfOne>(
  userId: string,
  generationId: string,
  part: Part,
  value: NonNullable<MarksOfOne[Part]>,
  now = Date.now(),
): Promise<void> {
  const kept: KeptPart<Part> = { key: keyOf(part, generationId), keptAt: now, value };
  await inStore(userId, 'drafts', 'readwrite', (store) => store.put(kept));
}
