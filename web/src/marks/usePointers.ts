import { useGesture } from '@use-gesture/react';
import type { Point } from '../platform/pan-zoom.ts';
import type { MarkCanvas } from './mark-canvas.ts';

const MOUSE_REACH_PX = 12;
const FINGER_REACH_PX = 24;
const MIDDLE_BUTTON = 4;
/** A wheel that turns by this many pixels doubles the size. */
const DOUBLING_PX = 320;

/** What one pointer does from its press to its end; a pinch ends what the first finger did. */
type Doing = 'painting' | 'panning' | 'nothing';
type Pinched = { grown: number; at: Point };

export function usePointers(markCanvas: MarkCanvas | null): void {
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => place([clientX, clientY]);
  const place = ([x, y]: readonly [number, number]): Point => {
    const { left, top } = markCanvas?.host.getBoundingClientRect() ?? new DOMRect();
    return { x: x - left, y: y - top };
  };
  useGesture(
    {
      onMove: ({ xy }) => markCanvas?.point(place(xy)),
      onPointerLeave: ({ event }) => event.pointerType === 'mouse' && markCanvas?.point(null),
      onContextMenu: ({ event }) => event.preventDefault(),
      onWheel: ({ event, delta: [right, down] }) => {
        event.preventDefault();
        if (markCanvas !== null) turnWheel(markCanvas, event, placeOf(event), { x: right, y: down });
      },
      onPinch: ({ origin, movement: [grown], first, memo }): Pinched => {
        const at = place(origin);
        const before = first ? { grown: 1, at } : (memo as Pinched);
        // The first finger did not mean to paint.
        if (first) markCanvas?.cancel();
        markCanvas?.point(null);
        markCanvas?.zoom(grown / before.grown, at);
        markCanvas?.pan(at.x - before.at.x, at.y - before.at.y);
        return { grown, at };
      },
      onDrag: ({ event, delta: [right, down], buttons, pinching, last, memo }): Doing => {
        if (markCanvas === null || !(event instanceof PointerEvent)) return 'nothing';
        const doing = pinching ? 'nothing' : ((memo as Doing | undefined) ?? begin(markCanvas, event, buttons));
        if (doing === 'panning') markCanvas.pan(right, down);
        if (doing === 'painting') paint(markCanvas, event, last);
        return doing;
      },
    },
    {
      ...(markCanvas && { target: markCanvas.host }),
      eventOptions: { passive: false },
      pinch: { pinchOnWheel: false },
      drag: { pointer: { keys: false, buttons: [1, MIDDLE_BUTTON] } },
    },
  );

  function begin(canvas: MarkCanvas, event: PointerEvent, buttons: number): Doing {
    if (buttons === MIDDLE_BUTTON) return 'panning';
    canvas.begin(placeOf(event), event.pointerType === 'mouse' ? MOUSE_REACH_PX : FINGER_REACH_PX);
    return 'painting';
  }

  function paint(canvas: MarkCanvas, event: PointerEvent, isLast: boolean): void {
    const isTouch = event.pointerType !== 'mouse';
    canvas.point(isTouch && isLast ? null : placeOf(event));
    if (event.type === 'pointercancel') return canvas.cancel();
    // A quick hand is sampled more often than the window is drawn.
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const sample of samples.length > 0 ? samples : [event]) canvas.moveTo(placeOf(sample));
    if (isLast) canvas.end();
  }
}

function turnWheel(markCanvas: MarkCanvas, event: WheelEvent, at: Point, { x: right, y: down }: Point): void {
  // A pinch on a touchpad comes as a wheel with Ctrl.
  if (event.ctrlKey || event.metaKey) markCanvas.zoom(2 ** (-down / DOUBLING_PX), at);
  else if (event.altKey) {
    markCanvas.stepBrush(down + right < 0 ? 1 : -1);
    markCanvas.point(at);
  } else if (event.shiftKey) markCanvas.pan(-(right || down), 0);
  else markCanvas.pan(-right, -down);
}
