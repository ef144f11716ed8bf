/** What we say when a picture shows not the people that a skill needs. */
import type { Rgb } from '../pixels/plane.ts';
import { FieldProblem } from '../problem.ts';
import { findFaces, type Face } from './faces.ts';
import { measureFocus } from './focus.ts';
import { isCutOff, isTurnedOver } from './whole-face.ts';

const MIN_FACE_WIDTH = 64;
const RIVAL_SHARE = 0.4; // of the largest face's width: smaller ones are passers-by
const RIVAL_FOCUS = 1 / 3; // of the largest face's: so are those that are out of focus

/** The one face of a picture; anything else is refused on `field`, in words for a seller. */
export async function getOnlyFace(picture: Rgb, field: string): Promise<Face> {
  const [face, ...others] = await findFaces(picture);
  if (!face) {
    throw faceProblem(field, 'No face was found. Use a clear photo of one person who looks at the camera.');
  }
  if (await hasRival(picture, face, others)) {
    throw faceProblem(field, 'Several faces were found. Use a photo of one person.');
  }
  if (face.box.width < MIN_FACE_WIDTH) {
    throw faceProblem(
      field,
      `The face is too small: it must be at least ${MIN_FACE_WIDTH} pixels wide. Use a photo taken closer.`,
    );
  }
  if (isCutOff(face, picture)) {
    throw faceProblem(field, 'The face is cut off by the edge of the photo. Use a photo that shows the whole face.');
  }
  if (await isTurnedOver(picture, face)) {
    throw faceProblem(field, 'The head lies on its side or upside down. Turn the photo so that the head is upright.');
  }
  return face;
}

async function hasRival(picture: Rgb, face: Face, others: Face[]): Promise<boolean> {
  const large = others.filter(({ box }) => box.width >= RIVAL_SHARE * face.box.width);
  if (large.length === 0) return false;
  const least = RIVAL_FOCUS * (await measureFocus(picture, face));
  const focuses = await Promise.all(large.map((other) => measureFocus(picture, other)));
  return focuses.some((focus) => focus >= least);
}

function faceProblem(field: string, sentence: string): FieldProblem {
  return new FieldProblem(field, 'face_detection_error', sentence);
}
