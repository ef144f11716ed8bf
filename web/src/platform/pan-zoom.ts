export type Size = { width: number; height: number };
export type Point = { x: number; y: number };
/** What is seen of a picture in a frame, in CSS pixels. `x`, `y`: how far the picture's middle is from the frame's. */
export type View = { scale: number; x: number; y: number };
/** A picture in its frame: how far in its edges may come, its scale when all of it is seen, and the largest. */
export type Space = { picture: Size; frame: Size; margin: number; whole: number; most: number };

/** The scale at which a picture fits a frame, less a margin on each side. */
export function fittingScale(picture: Size, frame: Size, margin = 0): number {
  return Math.min((frame.width - 2 * margin) / picture.width, (frame.height - 2 * margin) / picture.height);
}

export function fit({ whole }: Space): View {
  return { scale: whole, x: 0, y: 0 };
}

/** Another scale, at which the place under `at` (from the frame's middle) stays where it is. */
export function zoomTo(view: View, scale: number, at: Point, space: Space): View {
  const next = Math.min(space.most, Math.max(space.whole, scale));
  const grown = next / view.scale;
  return hold({ scale: next, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, space);
}

export function moveBy(view: View, by: Point, space: Space): View {
  return hold({ ...view, x: view.x + by.x, y: view.y + by.y }, space);
}

export function isZoomed({ scale }: View, { whole }: Space): boolean {
  return scale > whole * 1.001;
}

/** The picture does not leave its frame, and stands in the middle of one that it does not fill. */
export function hold({ scale, x, y }: View, { picture, frame, margin }: Space): View {
  const reach = (side: 'width' | 'height') => Math.max(0, (picture[side] * scale - frame[side]) / 2 + margin);
  const within = (value: number, most: number) => Math.min(most, Math.max(-most, value)) || 0;
  return { scale, x: within(x, reach('width')), y: within(y, reach('height')) };
}

export function cornerOf({ scale, x, y }: View, { picture, frame }: Space): Point {
  return { x: x + (frame.width - picture.width * scale) / 2, y: y + (frame.height - picture.height * scale) / 2 };
}

/** A wheel's turn in CSS pixels; a line of one that counts in lines is worth 16. */
export function readWheel({ deltaX, deltaY, deltaMode }: WheelEvent): Point {
  const lines = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  return { x: deltaX * lines, y: deltaY * lines };
}

/** Two fingers moved: how much further they are apart, their middle, and how far that moved. */
export type Pinch = { grown: number; middle: Point; by: Point };

export class Fingers {
  private readonly touching = new Map<number, Point>();

  get count(): number {
    return this.touching.size;
  }

  down(id: number, at: Point): void {
    this.touching.set(id, at);
  }

  /** How far one moved, and what that makes of two; null where it does not touch. */
  move(id: number, at: Point): { by: Point; pinch: Pinch | null } | null {
    const last = this.touching.get(id);
    if (last === undefined) return null;
    const before = this.spread();
    this.touching.set(id, at);
    const now = this.spread();
    const by = between(last, at);
    if (before === null || now === null) return { by, pinch: null };
    const grown = now.distance / before.distance;
    return { by, pinch: { grown, middle: now.middle, by: between(before.middle, now.middle) } };
  }

  up(id: number): boolean {
    return this.touching.delete(id);
  }

  private spread(): { distance: number; middle: Point } | null {
    const [one, other] = [...this.touching.values()];
    if (one === undefined || other === undefined) return null;
    return {
      distance: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)),
      middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    };
  }
}

const between = (from: Point, to: Point): Point => ({ x: to.x - from.x, y: to.y - from.y });
