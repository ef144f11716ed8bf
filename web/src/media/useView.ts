import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  Fingers,
  fit,
  fittingScale,
  hold,
  isZoomed,
  moveBy,
  readWheel,
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
  usePointers(frame, gestures, { ...use, zoom });
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

/** Wheel and pointers. Listeners of our own: React's wheel listener could not keep the page from scrolling. */
function usePointers(frame: HTMLElement | null, gestures: Gestures, view: Movable): void {
  const [fingers] = useState(() => new Fingers());
  const sweep = useRef({ x: 0, y: 0, isTouch: false, isPinch: false });
  const lastTap = useRef(0);

  const toggle = (at: Point) => (view.canMove ? view.showWhole() : view.showFullSize(at));
  const handleWheel = (event: WheelEvent, at: Point) => {
    event.preventDefault();
    view.zoom(Math.exp(-readWheel(event).y / (event.ctrlKey ? 100 : 400)), at);
  };
  const handleMove = (id: number, now: Point) => {
    const move = fingers.move(id, now);
    if (move === null) return;
    sweep.current.x += move.by.x;
    sweep.current.y += move.by.y;
    if (move.pinch === null) return void (view.canMove && view.move(move.by));
    sweep.current.isPinch = true;
    view.zoom(move.pinch.grown, move.pinch.middle);
    view.move(move.pinch.by);
  };
  const handleUp = (id: number, at: Point, time: number) => {
    if (!fingers.up(id) || fingers.count > 0) return;
    const { x, y, isTouch, isPinch } = sweep.current;
    if (isPinch || !isTouch) return;
    if (Math.hypot(x, y) < TAP_PX) {
      const isSecond = time - lastTap.current < DOUBLE_TAP_MS;
      lastTap.current = isSecond ? 0 : time;
      return isSecond ? toggle(at) : gestures.onTap();
    }
    if (view.canMove) return;
    if (Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) gestures.onTurn(x < 0 ? 1 : -1);
    else if (y > SWIPE_PX && y > 2 * Math.abs(x)) gestures.onPullDown();
  };

  useListeners(frame, {
    wheel: handleWheel,
    dblclick: (_event, at) => !sweep.current.isTouch && toggle(at),
    pointerdown: ({ pointerId, pointerType }, at) => {
      if (fingers.count === 0) sweep.current = { x: 0, y: 0, isTouch: pointerType === 'touch', isPinch: false };
      fingers.down(pointerId, at);
    },
    pointermove: ({ pointerId }, at) => handleMove(pointerId, at),
    pointerup: ({ pointerId, timeStamp }, at) => handleUp(pointerId, at, timeStamp),
    pointercancel: ({ pointerId }) => fingers.up(pointerId),
  });
}

type Listeners = {
  wheel: (event: WheelEvent, at: Point) => void;
  dblclick: (event: MouseEvent, at: Point) => void;
  pointerdown: (event: PointerEvent, at: Point) => void;
  pointermove: (event: PointerEvent, at: Point) => void;
  pointerup: (event: PointerEvent, at: Point) => void;
  pointercancel: (event: PointerEvent, at: Point) => void;
};
const NAMES = ['wheel', 'dblclick', 'pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

function useListeners(frame: HTMLElement | null, listeners: Listeners): void {
  const hear = useEffectEvent((event: Event, at: Point) => {
    const listen = listeners[event.type as keyof Listeners] as (event: Event, at: Point) => void;
    listen(event, at);
  });
  useEffect(() => {
    if (frame === null) return undefined;
    const handler = (event: Event) => {
      const { clientX, clientY, button } = event as MouseEvent;
      if (event instanceof PointerEvent && event.type === 'pointerdown') {
        if (button !== 0) return;
        frame.setPointerCapture(event.pointerId);
      }
      const box = frame.getBoundingClientRect();
      hear(event, { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 });
    };
    for (const name of NAMES) frame.addEventListener(name, handler, { passive: false });
    return () => NAMES.forEach((name) => frame.removeEventListener(name, handler));
  }, [frame]);
}
