import { FieldProblem } from '../problem.ts';
import type { Picture } from './decode.ts';
import type { Rgb } from './plane.ts';

const LEAST_CONTRAST = 3; // of 255, between the darkest and the brightest pixel

/** True for a sheet of one colour, on which every search would go on to its end. */
export function isBlank(picture: Rgb | Picture): boolean {
  let least = 255;
  let most = 0;
  const bytes = 'data' in picture ? picture.data : picture.rgb;
  for (let i = 0; i < bytes.length; i += 1) {
    least = Math.min(least, bytes[i]!);
    most = Math.max(most, bytes[i]!);
    if (most - least > LEAST_CONTRAST) return false;
  }
  return true;
}

/** Nothing is made of an empty sheet: better said than sold. @throws FieldProblem */
export function refuseBlank(picture: Rgb | Picture, field: string): void {
  if (!isBlank(picture)) return;
  throw new FieldProblem(field, 'no_media_generated', 'The picture is empty. Use a photo that shows your product.');
}
