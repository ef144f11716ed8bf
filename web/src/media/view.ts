/** What is seen of a picture in a frame, in CSS pixels. `x`, `y`: how far the picture's middle is from the frame's. */
export type View = { scale: number; x: number; y: number };
export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

const MAX_SCALE = 8;
/** One pixel of the picture for one of the screen's page. */
export const FULL_SIZE = 1;

/** The whole picture, never enlarged. */
export function fit(picture: Size, frame: Size): View {
  return { scale: Math.min(frame.width / picture.width, frame.height / picture.height, FULL_SIZE), x: 0, y: 0 };
}

/** Another scale, at which the place under `at` (from the frame's middle) stays where it is. */
export function zoomTo(view: View, scale: number, at: Point, picture: Size, frame: Size): View {
  const smallest = fit(picture, frame).scale;
  const next = Math.min(MAX_SCALE, Math.max(smallest, scale));
  const grown = next / view.scale;
  return hold({ scale: next, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, picture, frame);
}

export function moveBy(view: View, by: Point, picture: Size, frame: Size): View {
  return hold({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, frame);
}

/**
 * What was moved to, in a frame that may have another size by now; null, or hardly larger than whole: the whole
 * picture.
 */
export function keep(moved: View | null, picture: Size, frame: Size): View {
  return moved === null || !isZoomed(moved, picture, frame) ? fit(picture, frame) : hold(moved, picture, frame);
}

/** Whether something of the picture is out of sight, so that it can be moved. */
export function isZoomed(view: View, picture: Size, frame: Size): boolean {
  return view.scale > fit(picture, frame).scale * 1.001;
}

/** The picture does not leave its frame, and stands in the middle of one that it does not fill. */
function hold({ scale, x, y }: View, picture: Size, frame: Size): View {
  const reach = (side: 'width' | 'height') => Math.max(0, (picture[side] * scale - frame[side]) / 2);
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value)) || 0;
  return { scale, x: within(x, reach('width')), y: within(y, reach('height')) };
}
