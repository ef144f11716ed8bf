import { SQUARE_JPEG_QUALITY, SQUARE_MAX_BYTES, SQUARE_SIDE_PX } from '@plinth/contract/limits';
import type { PickedImage } from './check-image.ts';

/** What stands below a picture that was made square. */
export const SQUARE_CAPTION = `Processed image (${SQUARE_SIDE_PX}x${SQUARE_SIDE_PX})`;

/**
 * The centre square of a picture as a JPEG of 768x768, on white where it lets through.
 * @throws Error when the browser cannot draw it, or it stays too large
 */
export async function makeSquare({ file, width, height }: PickedImage): Promise<PickedImage> {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SQUARE_SIDE_PX;
  const pen = canvas.getContext('2d');
  if (pen === null) throw new Error('no canvas');
  const side = Math.min(width, height);
  pen.fillStyle = '#ffffff';
  pen.fillRect(0, 0, SQUARE_SIDE_PX, SQUARE_SIDE_PX);
  pen.imageSmoothingQuality = 'high';
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  pen.drawImage(bitmap, left, top, side, side, 0, 0, SQUARE_SIDE_PX, SQUARE_SIDE_PX);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', SQUARE_JPEG_QUALITY));
  if (blob === null || blob.size > SQUARE_MAX_BYTES) throw new Error('no square');
  // It keeps the seller's own name, also where that ends in .png: it is still their picture.
  const square = new File([blob], file.name, { type: 'image/jpeg' });
  return { file: square, width: SQUARE_SIDE_PX, height: SQUARE_SIDE_PX };
}
