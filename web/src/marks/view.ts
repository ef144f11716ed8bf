import type { Size } from './marks.ts';

/** In pixels of the picture, or of the window: which, the name of the value says. */
export type Point = { x: number; y: number };
/** Where the picture lies in the window: pixels of the window for one of the picture, and where its corner is. */
export type View = { scale: number; x: number; y: number };

const MARGIN_PX = 24;
/** Largest scale, as a multiple of the one at which the whole picture fits. */
export const MOST_ZOOM = 16;

/** The whole picture in the middle of the window. */
export function fitView(picture: Size, window: Size): View {
  const margin = Math.min(MARGIN_PX, window.width / 12, window.height / 12);
  const scale = Math.min((window.width - 2 * margin) / picture.width, (window.height - 2 * margin) / picture.height);
  return {
    scale,
    x: (window.width - picture.width * scale) / 2,
    y: (window.height - picture.height * scale) / 2,
  };
}

export function toPicture({ scale, x, y }: View, point: Point): Point {
  return { x: (point.x - x) / scale, y: (point.y - y) / scale };
}

export function toWindow({ scale, x, y }: View, point: Point): Point {
  return { x: point.x * scale + x, y: point.y * scale + y };
}

/** Larger or smaller around a point of the window, which stays where it is as far as the picture's edges allow. */
export function zoomView(view: View, factor: number, at: Point, picture: Size, window: Size): View {
  const fit = fitView(picture, window);
  const scale = Math.min(fit.scale * MOST_ZOOM, Math.max(fit.scale, view.scale * factor));
  const real = scale / view.scale;
  const moved = { scale, x: at.x - (at.x - view.x) * real, y: at.y - (at.y - view.y) * real };
  return moveView(moved, 0, 0, picture, window);
}

/**
 * Moves the picture; its edges do not come further in than they stand when it fits, or the middle when it is smaller.
 */
export function moveView(view: View, byX: number, byY: number, picture: Size, window: Size): View {
  return {
    scale: view.scale,
    x: bound(view.x + byX, picture.width * view.scale, window.width),
    y: bound(view.y + byY, picture.height * view.scale, window.height),
  };
}

function bound(start: number, length: number, room: number): number {
  if (length <= room - 2 * MARGIN_PX) return (room - length) / 2;
  return Math.min(MARGIN_PX, Math.max(room - MARGIN_PX - length, start));
}

/** Moved just so far that a point of the picture is seen, with some room around it. */
export function showPoint(view: View, point: Point, picture: Size, window: Size): View {
  const { x, y } = toWindow(view, point);
  const room = 3 * MARGIN_PX;
  const byX = x < room ? room - x : Math.min(0, window.width - room - x);
  const byY = y < room ? room - y : Math.min(0, window.height - room - y);
  return moveView(view, byX, byY, picture, window);
}
