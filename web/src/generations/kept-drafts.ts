import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import type { ToolId } from '@plinth/contract/tools';
import { inStore } from '../platform/browser-store.ts';
import type { PickedImage } from './check-image.ts';
import type { Draft } from './drafts.ts';

/** One filled field of one tool. A picture is kept as its bytes: what is typed beside it must not write them again. */
type KeptField = {
  key: string;
  toolId: ToolId;
  name: string;
  keptAt: number;
  value: string | (Omit<PickedImage, 'file'> & { blob: Blob; fileName: string });
};

/** What was put into a tool's form in the last 48 hours, whether or not this page was there all the time. */
export async function readKeptDraft(userId: string, toolId: ToolId, now = Date.now()): Promise<Draft> {
  const all = await inStore<KeptField[]>(userId, 'drafts', 'readonly', (store) => store.getAll());
  const old = all.filter(({ keptAt }) => now - keptAt >= MEDIA_TTL_SECONDS * 1000);
  for (const { key } of old) await inStore(userId, 'drafts', 'readwrite', (store) => store.delete(key));
  const fields = all.filter((field) => field.toolId === toolId && !old.includes(field));
  return Object.fromEntries(fields.map(({ name, value }) => [name, typeof value === 'string' ? value : unpack(value)]));
}

/** Keeps a field, or with null forgets it. */
export async function keepField(
  userId: string,
  toolId: ToolId,
  name: string,
  value: PickedImage | string | null,
  now = Date.now(),
): Promise<void> {
  const key = `${toolId} ${name}`;
  if (value === null || value === '') return inStore(userId, 'drafts', 'readwrite', (store) => store.delete(key));
  const kept: KeptField = { key, toolId, name, keptAt: now, value: typeof value === 'string' ? value : pack(value) };
  return inStore(userId, 'drafts', 'readwrite', (store) => store.put(kept));
}

function pack({ file, ...rest }: PickedImage) {
  return { ...rest, blob: file as Blob, fileName: file.name };
}

function unpack({ blob, fileName, ...rest }: ReturnType<typeof pack>): PickedImage {
  return { ...rest, file: new File([blob], fileName, { type: blob.type }) };
}
