import { errors } from '@plinth/contract/errors';
import { imageFieldLimits } from '@plinth/contract/tool-fields';
import type { Marks, Subject } from '@plinth/contract/marks';
import type { ImageField } from '@plinth/contract/tool';
import { measurePicture, readPictureFile, refuseFile, refuseSides } from '../platform/picture-file.ts';

/**
 * A picture in the form. A sample is not one of the seller's uploads. For an earlier result the file is only a preview;
 * its id is sent instead.
 */
export type PickedImage = {
  file: File;
  width: number;
  height: number;
  isSample?: boolean;
  mediaId?: string;
  /** True if the result made from it is to be exported at once. */
  isForExport?: boolean;
  /** What would be cut out of it; absent until the answer arrives or if there is none. */
  subject?: Subject;
  marks?: Marks;
};
export type Checked = { image: PickedImage; refusal: null } | { image: null; refusal: string };

/**
 * Checks a picture by the server's rules, in its order and words, before anything is sent. Sizes in bytes and pixels.
 */
export async function checkImage(
  given: File,
  field: Pick<ImageField, 'accept' | 'wrongType'>,
  measure = measurePicture,
): Promise<Checked> {
  const file = await readPictureFile(given, imageFieldLimits.maxBytes);
  const refusal = refuseFile(file, field);
  if (refusal !== null) return { image: null, refusal };
  const size = await measure(file).catch(() => null);
  if (size === null) return { image: null, refusal: errors.image_unreadable.detail };
  const misfit = refuseSides(size);
  return misfit === null ? { image: { file, ...size }, refusal: null } : { image: null, refusal: misfit };
}
