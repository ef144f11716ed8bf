import { useEffect, useRef, useState } from 'react';
import { useGesture } from '@use-gesture/react';
import {
  fit,
  fittingScale,
  hold,
  isZoomed,
  moveBy,
  zoomTo,
  type Point,
  type Size,
  type Space,
  type View,
} from '../platform/pan-zoom.ts';

/** One pixel of the picture for one of the screen's page. */
const FULL_SIZE = 1;
const MAX_SCALE = 8;

/** How far a finger moves before it is more than a tap, and before it turns the page or closes it. In CSS pixels. */
const TAP_PX = 8;
const SWIPE_PX = 64;
const DOUBLE_TAP_MS = 300;
const STEP = 1.5;

export type Gestures = {
  /** A finger swept the whole picture aside: 1 to the next, -1 to the one before. */
  onTurn: (step: 1 | -1) => void;
  onPullDown: () => void;
  onTap: () => void;
};

export function useView(frame: HTMLElement | null, picture: Size, gestures: Gestures) {
  const [room, setRoom] = useState<Size | null>(null);
  const [moved, setMoved] = useState<View | null>(null);
  const space = room && spaceOf(picture, room);
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
  const zoom = (factor: number, at: Point = MIDDLE) => change((now, size) => zoomTo(now, now.scale * factor, at, size));
  const canMove = space !== null && view !== null && isZoomed(view, space);
  const use = {
    view,
    canMove,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    showWhole: () => setMoved(null),
    showFullSize: (at: Point = MIDDLE) => change((now, size) => zoomTo(now, FULL_SIZE, at, size)),
    move: (by: Point) => change((now, size) => moveBy(now, by, size)),
  };
  useGestures(frame, gestures, { ...use, zoom });
  return use;
}

const MIDDLE: Point = { x: 0, y: 0 };

function spaceOf(picture: Size, frame: Size): Space {
  return { picture, frame, margin: 0, whole: Math.min(fittingScale(picture, frame), FULL_SIZE), most: MAX_SCALE };
}

type Movable = {
  canMove: boolean;
  move: (by: Point) => void;
  zoom: (factor: number, at: Point) => void;
  showWhole: () => void;
  showFullSize: (at: Point) => void;
};

function useGestures(frame: HTMLElement | null, { onTurn, onPullDown, onTap }: Gestures, view: Movable): void {
  const lastTap = useRef(0);
  const handleTap = (at: Point, time: number, isTouch: boolean) => {
    const isSecond = time - lastTap.current < DOUBLE_TAP_MS;
    lastTap.current = isSecond ? 0 : time;
    if (!isSecond) return void (isTouch && onTap());
    if (view.canMove) view.showWhole();
    else view.showFullSize(at);
  };
  const handleSweep = (x: number, y: number) => {
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) onTurn(x < 0 ? 1 : -1);
    else if (y > SWIPE_PX && y > 2 * Math.abs(x)) onPullDown();
  };
  const fromMiddle = (x: number, y: number): Point => {
    const { left, top, width, height } = frame?.getBoundingClientRect() ?? new DOMRect();
    return { x: x - left - width / 2, y: y - top - height / 2 };
  };
  useGesture(
    {
      onWheel: ({ event, delta: [, down] }) => {
        event.preventDefault();
        view.zoom(Math.exp(-down / (event.ctrlKey ? 100 : 400)), fromMiddle(event.clientX, event.clientY));
      },
      onPinch: ({ origin: [x, y], movement: [grown], memo }): Pinched => {
        const before = (memo as Pinched | undefined) ?? { grown: 1, x, y };
        view.zoom(grown / before.grown, fromMiddle(x, y));
        view.move({ x: x - before.x, y: y - before.y });
        return { grown, x, y };
      },
      // A finger that stays after a pinch moves nothing.
      onDrag: ({ event, xy, delta, movement, tap, last, pinching, memo: wasPinch = false }) => {
        const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
        if (pinching || wasPinch) return true;
        if (tap) handleTap(fromMiddle(...xy), event.timeStamp, isTouch);
        else if (view.canMove) view.move({ x: delta[0], y: delta[1] });
        else if (last && isTouch) handleSweep(...movement);
        return false;
      },
    },
    {
      ...(frame && { target: frame }),
      eventOptions: { passive: false },
      pinch: { pinchOnWheel: false },
      drag: { filterTaps: true, tapsThreshold: TAP_PX, pointer: { keys: false } },
    },
  );
}

/** Of a pinch so far: how much it grew, and its middle in the window. */
type Pinched = { grown: number; x: number; y: number };
