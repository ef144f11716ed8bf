import { useRef } from 'react';
import { useGesture } from '@use-gesture/react';
import { fittingScale, zoomTo, type Point, type Size, type Space } from '../platform/pan-zoom.ts';
import { MIDDLE, usePanZoom, type PanZoom, type Pinched } from '../platform/usePanZoom.ts';

/** One pixel of the picture per CSS pixel. */
const FULL_SIZE = 1;
const MAX_SCALE = 8;

/**
 * How far a finger moves before it is more than a tap, and before it changes the picture or closes it. In CSS pixels.
 */
const TAP_PX = 8;
const SWIPE_PX = 64;
const DOUBLE_TAP_MS = 300;
const STEP = 1.5;

export type Gestures = {
  /** Result of a swipe over the whole picture: 1 to the next, -1 to the previous one. */
  onTurn: (step: 1 | -1) => void;
  onPullDown: () => void;
  onTap: () => void;
};

/** Visible part of a picture; a clip always fits. */
export function useView(frame: HTMLElement | null, picture: Size, isClip: boolean, gestures: Gestures) {
  const panZoom = usePanZoom(frame, (room) => spaceOf(picture, isClip, room));
  const use = {
    ...panZoom,
    zoomIn: () => panZoom.zoom(STEP),
    zoomOut: () => panZoom.zoom(1 / STEP),
    showFullSize: (at: Point = MIDDLE) => panZoom.change((now, space) => zoomTo(now, FULL_SIZE, at, space)),
  };
  useGestures(frame, gestures, use);
  return use;
}

function spaceOf(picture: Size, isClip: boolean, frame: Size): Space {
  const minScale = Math.min(fittingScale(picture, frame), FULL_SIZE);
  return { picture, frame, margin: 0, minScale, maxScale: isClip ? minScale : MAX_SCALE };
}

type Movable = PanZoom & { showFullSize: (at: Point) => void };

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
  useGesture(
    {
      onWheel: ({ event, delta: [, down] }) => {
        event.preventDefault();
        view.zoom(Math.exp(-down / (event.ctrlKey ? 100 : 400)), view.fromMiddle(event.clientX, event.clientY));
      },
      onPinch: ({ origin, movement: [grown], memo }): Pinched => view.pinch(origin, grown, memo as Pinched | undefined),
      // The finger that remains after a pinch moves nothing.
      onDrag: ({ event, xy, delta, movement, tap, last, pinching, memo: wasPinch = false }) => {
        const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
        if (pinching || wasPinch) return true;
        if (tap) handleTap(view.fromMiddle(...xy), event.timeStamp, isTouch);
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
