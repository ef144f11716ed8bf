import {
  cornerOf,
  fittingScale,
  moveBy,
  zoomTo,
  type Point,
  type Size,
  type Space,
  type View,
} from '../platform/pan-zoom.ts';
import { usePanZoom } from '../platform/usePanZoom.ts';

const MARGIN_PX = 24;
/** Largest scale, as a multiple of the scale at which the whole picture fits. */
const MAX_ZOOM = 16;

/** The visible part of the picture, and the conversion from picture to window coordinates. */
export function useMarkView(host: HTMLElement | null, picture: Size) {
  const panZoom = usePanZoom(host, (window) => spaceOf(picture, window));
  const { space, view, change } = panZoom;
  const scale = view?.scale ?? 1;
  const corner = view && space ? cornerOf(view, space) : { x: 0, y: 0 };
  return {
    ...panZoom,
    scale,
    corner,
    percent: Math.round((scale / (space?.minScale ?? 1)) * 100),
    toWindow: ({ x, y }: Point): Point => ({ x: x * scale + corner.x, y: y * scale + corner.y }),
    toPicture: ({ x, y }: Point): Point => ({ x: (x - corner.x) / scale, y: (y - corner.y) / scale }),
    zoomAt: (factor: number, place: Point) =>
      change((now, of) => zoomTo(now, now.scale * factor, fromMiddle(place, now, of), of)),
    /** Pans the picture if one of its points would not be visible. */
    reveal: (place: Point) =>
      change((now, of) => {
        const { x, y } = fromMiddle(place, now, of);
        return moveBy(now, { x: missingRoom(x, of.frame.width), y: missingRoom(y, of.frame.height) }, of);
      }),
  };
}
export type MarkView = ReturnType<typeof useMarkView>;
/** Position of the pointer in the window, or of the crosshair in the picture. */
export type Pointed = { window: Point } | { place: Point };

function spaceOf(picture: Size, frame: Size): Space {
  const minScale = fittingScale(picture, frame, Math.min(MARGIN_PX, frame.width / 12, frame.height / 12));
  return { picture, frame, margin: MARGIN_PX, minScale, maxScale: minScale * MAX_ZOOM };
}

function fromMiddle({ x, y }: Point, view: View, { picture }: Space): Point {
  return { x: view.x + (x - picture.width / 2) * view.scale, y: view.y + (y - picture.height / 2) * view.scale };
}

/** Returns by how much to move a point, given its distance from the middle of a length, to get it well inside. */
function missingRoom(fromMiddle: number, length: number): number {
  const room = length / 2 - 3 * MARGIN_PX;
  return fromMiddle < -room ? -room - fromMiddle : Math.min(0, room - fromMiddle);
}
