import { FieldProblem } from '../problem.ts';
import type { Rgb } from './plane.ts';

const LEAST_CONTRAST = 3; // of 255, between the darkest and the brightest pixel, in each of the three colours

/** True for a sheet of one colour, on which every search would go on to its end. */
export function isBlank({ data }: Rgb): boolean {
  for (let channel = 0; channel < 3; channel += 1) {
    let least = 255;
    let most = 0;
    for (let i = channel; i < data.length; i += 3) {
      least = Math.min(least, data[i]!);
      most = Math.max(most, data[i]!);
      if (most - least > LEAST_CONTRAST) return false;
    }
  }
  return true;
}

/** Nothing is made of an empty sheet: better said than sold. @throws FieldProblem */
export function refuseBlank(picture: Rgb, field: string): void {
  if (!isBlank(picture)) return;
  throw new FieldProblem(field, 'no_media_generated', 'The picture is empty. Use a photo that shows your product.');
}
