import { errors } from '@plinth/contract/errors';
import type { ImageField } from '@plinth/contract/tool';
import type { ToolId } from '@plinth/contract/tools';
import { measurePicture, readPictureFile, refuseFile, refuseSides } from '../platform/picture-file.ts';
import { say } from '../ui/above/toast.tsx';
import { fieldOf, type PickedImage } from './drafts.ts';
import { changePhoto, clearRefusal, readPage, setField } from './memory.ts';

/** Checks a file before it enters a form. A refused file leaves the previous photo in place. */
export async function pickPhoto(toolId: ToolId, name: string, file: File | Promise<File>, isSample = false) {
  const field = fieldOf(toolId, name);
  if (field?.kind !== 'image') return;
  clearRefusal(toolId);
  changePhoto(toolId, name, { ...readPage(toolId).photos[name], reading: file });
  const { image, refusal } = await checkImage(await file, field);
  // The last choice counts, even if an earlier one is read later.
  if (readPage(toolId).photos[name]?.reading !== file) return;
  if (image !== null) return putPhoto(toolId, name, isSample ? { ...image, isSample } : image);
  refusePhoto(toolId, name, refusal);
}

export function refusePhoto(toolId: ToolId, name: string, refusal: string): void {
  changePhoto(toolId, name, { refusal });
  say.wrong(refusal, { id: `file-${name}` });
}

/** Puts a photo into a form, or removes the present one. */
export function putPhoto(toolId: ToolId, name: string, image: PickedImage | null): void {
  clearRefusal(toolId);
  changePhoto(toolId, name, {});
  say.noMore(`file-${name}`);
  setField(toolId, name, image);
}

/**
 * Checks a picture by the server's rules, in its order and words, before anything is sent. Sizes in bytes and pixels.
 */
export async function checkImage(
  given: File,
  field: Pick<ImageField, 'accept' | 'wrongType'>,
  measure = measurePicture,
): Promise<{ image: PickedImage; refusal: null } | { image: null; refusal: string }> {
  const file = await readPictureFile(given);
  const refusal = refuseFile(file, field);
  if (refusal !== null) return { image: null, refusal };
  const size = await measure(file).catch(() => null);
  if (size === null) return { image: null, refusal: errors.image_unreadable.detail };
  const misfit = refuseSides(size);
  return misfit === null ? { image: { file, ...size }, refusal: null } : { image: null, refusal: misfit };
}
