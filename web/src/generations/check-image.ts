import { errors } from '@plinth/contract/errors';
import { imageFieldLimits } from '@plinth/contract/tool-fields';
import type { Marks, Subject } from '@plinth/contract/marks';
import type { ImageField } from '@plinth/contract/tool';
import { readPictureFile, refuseFile } from '../platform/picture-file.ts';

/**
 * A picture in the form. A sample is ours: it is not one of the seller's uploads. Of an earlier result the file is only
 * a preview; its id is sent in place of it.
 */
export type PickedImage = {
  file: File;
  width: number;
  height: number;
  isSample?: boolean;
  mediaId?: string;
  /** What would be cut out of it; absent until that was asked, or where nobody can say. */
  subject?: Subject;
  marks?: Marks;
};
export type Checked = { image: PickedImage; refusal: null } | { image: null; refusal: string };
type Measure = (file: File) => Promise<{ width: number; height: number }>;

/** The server's rules for a picture, in its order and words, before anything is sent. Sizes in bytes and pixels. */
export async function checkImage(
  given: File,
  field: Pick<ImageField, 'accept' | 'wrongType'>,
  measure: Measure = measureImage,
): Promise<Checked> {
  const file = await readPictureFile(given, imageFieldLimits.maxBytes);
  const refusal = refuseFile(file, field);
  if (refusal !== null) return refuse(refusal);
  const size = await measure(file).catch(() => null);
  if (size === null || !hasFittingSides(size)) return refuse(errors.image_unreadable.detail);
  return { image: { file, ...size }, refusal: null };
}

function refuse(refusal: string): Checked {
  return { image: null, refusal };
}

function hasFittingSides({ width, height }: { width: number; height: number }): boolean {
  const { minSide, maxSide, maxPixels } = imageFieldLimits;
  return Math.min(width, height) >= minSide && Math.max(width, height) <= maxSide && width * height <= maxPixels;
}

async function measureImage(file: File): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    return { width: image.naturalWidth, height: image.naturalHeight };
  } finally {
    URL.revokeObjectURL(url);
  }
}
