import { useEffect, useState } from 'react';
import { fit, hold, isZoomed, moveBy, zoomTo, type Point, type Size, type Space, type View } from './pan-zoom.ts';

export const MIDDLE: Point = { x: 0, y: 0 };

/** A pinch so far: its scale factor and its centre in the window. */
export type Pinched = { grown: number; x: number; y: number };
export type PanZoom = ReturnType<typeof usePanZoom>;

/** Visible part of a picture in a frame of changing size; the whole picture until it is zoomed and moved. */
export function usePanZoom(frame: HTMLElement | null, spaceOf: (frame: Size) => Space) {
  const [room, setRoom] = useState<Size | null>(null);
  const [moved, setMoved] = useState<View | null>(null);
  const space = room && spaceOf(room);
  const view = space && (moved !== null && isZoomed(moved, space) ? hold(moved, space) : fit(space));

  useEffect(() => {
    if (frame === null) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      setRoom({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    watcher.observe(frame);
    return () => watcher.disconnect();
  }, [frame]);

  const change = (make: (view: View, space: Space) => View) => {
    if (space === null) return;
    setMoved((before) => {
      const next = make(before ?? fit(space), space);
      return isZoomed(next, space) ? next : null;
    });
  };
  /** Point in window coordinates. */
  const fromMiddle = (x: number, y: number): Point => {
    const { left, top, width, height } = frame?.getBoundingClientRect() ?? new DOMRect();
    return { x: x - left - width / 2, y: y - top - height / 2 };
  };
  /** `at`, relative to the frame's centre, stays in place. */
  const zoom = (factor: number, at = MIDDLE) => change((now, size) => zoomTo(now, now.scale * factor, at, size));
  const move = (by: Point) => change((now, size) => moveBy(now, by, size));
  return {
    space,
    view,
    canMove: space !== null && view !== null && isZoomed(view, space),
    change,
    fromMiddle,
    zoom,
    move,
    showWhole: () => setMoved(null),
    pinch: ([x, y]: readonly [number, number], grown: number, before: Pinched = { grown: 1, x, y }): Pinched => {
      zoom(grown / before.grown, fromMiddle(x, y));
      move({ x: x - before.x, y: y - before.y });
      return { grown, x, y };
    },
  };
}
