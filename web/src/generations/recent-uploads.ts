import { MEDIA_TTL_SECONDS } from '@plinth/contract/limits';
import { inStore } from '../platform/browser-store.ts';
import type { PickedImage } from './check-image.ts';

/** A picture that was sent from this browser, and the generations it was sent for. */
export type RecentUpload = {
  id: string;
  name: string;
  type: string;
  blob: Blob;
  addedAt: number;
  generationIds: string[];
  /** Kept for its generations alone: nobody uploaded it. */
  isSample?: boolean;
};

const KEPT = 3;

/** The last three pictures, newest first; older than 48 hours are gone, as on the server. */
export async function listRecentUploads(userId: string, now = Date.now()): Promise<RecentUpload[]> {
  return (await listPictures(userId, now)).filter(({ isSample }) => !isSample);
}

/** The samples too. */
async function listPictures(userId: string, now: number): Promise<RecentUpload[]> {
  const all = await inStore<RecentUpload[]>(userId, 'uploads', 'readonly', (store) => store.getAll());
  return all.filter((upload) => now - upload.addedAt < MEDIA_TTL_SECONDS * 1000).sort((a, b) => b.addedAt - a.addedAt);
}

/** Remembers a picture for a generation; the same picture is kept once. */
export async function rememberUpload(
  userId: string,
  { file, isSample = false }: Pick<PickedImage, 'file' | 'isSample'>,
  generationId: string,
  now = Date.now(),
): Promise<void> {
  const all = (await listPictures(userId, now)).filter((upload) => (upload.isSample ?? false) === isSample);
  const known = all.find((upload) => upload.name === file.name && upload.blob.size === file.size);
  const upload: RecentUpload = {
    id: known?.id ?? crypto.randomUUID(),
    name: file.name,
    type: file.type,
    blob: file,
    addedAt: now,
    generationIds: [...(known?.generationIds ?? []), generationId].slice(-20),
    isSample,
  };
  await inStore(userId, 'uploads', 'readwrite', (store) => store.put(upload));
  const surplus = [upload, ...all.filter(({ id }) => id !== upload.id)].slice(KEPT);
  for (const { id } of surplus) await inStore(userId, 'uploads', 'readwrite', (store) => store.delete(id));
}

/** The picture a generation was made from, if this browser still has it. */
export async function findUploadOf(userId: string, generationId: string): Promise<RecentUpload | null> {
  const all = await listPictures(userId, Date.now());
  return all.find((upload) => upload.generationIds.includes(generationId)) ?? null;
}

/** Keeps the picture of a generation for another one that is made from it again. */
export async function linkUpload(userId: string, fromId: string, generationId: string): Promise<void> {
  const upload = await findUploadOf(userId, fromId);
  if (upload === null) return;
  const generationIds = [...upload.generationIds, generationId].slice(-20);
  await inStore(userId, 'uploads', 'readwrite', (store) => store.put({ ...upload, generationIds }));
}
