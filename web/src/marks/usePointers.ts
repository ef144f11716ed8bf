import { useGesture } from '@use-gesture/react';
import type { Point } from '../platform/pan-zoom.ts';
import type { Pinched } from '../platform/usePanZoom.ts';
import { begin, cancel, end, moveTo, stepBrush, type Marking } from './marking.ts';
import type { MarkView, Pointed } from './useMarkView.ts';

const MOUSE_REACH_PX = 12;
const FINGER_REACH_PX = 24;
const MIDDLE_BUTTON = 4;
/** Wheel movement in pixels that doubles the scale. */
const DOUBLING_PX = 320;

/** One pointer's action from press to release; a pinch ends the first finger's action. */
type Doing = 'painting' | 'panning' | 'nothing';

export function usePointers(
  host: HTMLElement | null,
  marking: Marking,
  view: MarkView,
  onPoint: (pointed: Pointed | null) => void,
): void {
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = host?.getBoundingClientRect() ?? new DOMRect();
    return { x: clientX - left, y: clientY - top };
  };
  const paint = (event: PointerEvent, isLast: boolean) => {
    onPoint(event.pointerType !== 'mouse' && isLast ? null : { window: placeOf(event) });
    if (event.type === 'pointercancel') return cancel(marking);
    // Fast movements give several samples per frame.
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const sample of samples.length > 0 ? samples : [event])
      moveTo(marking, view.toPicture(placeOf(sample)), view.scale);
    if (isLast) end(marking);
  };
  useGesture(
    {
      onMove: ({ event }) => onPoint({ window: placeOf(event) }),
      onPointerLeave: ({ event }) => event.pointerType === 'mouse' && onPoint(null),
      onContextMenu: ({ event }) => event.preventDefault(),
      onWheel: ({ event, delta: [right, down] }) => {
        event.preventDefault();
        // A pinch on a touchpad is a wheel event with Ctrl.
        if (event.ctrlKey || event.metaKey)
          view.zoom(2 ** (-down / DOUBLING_PX), view.fromMiddle(event.clientX, event.clientY));
        else if (event.altKey) stepBrush(marking, down + right < 0 ? 1 : -1);
        else if (event.shiftKey) view.move({ x: -(right || down), y: 0 });
        else view.move({ x: -right, y: -down });
      },
      onPinch: ({ origin, movement: [grown], first, memo }): Pinched => {
        // The first finger did not mean to paint.
        if (first) cancel(marking);
        onPoint(null);
        return view.pinch(origin, grown, memo as Pinched | undefined);
      },
      onDrag: ({ event, delta: [x, y], buttons, pinching, last, memo }): Doing => {
        if (pinching || !(event instanceof PointerEvent)) return 'nothing';
        const doing = (memo as Doing | undefined) ?? (buttons === MIDDLE_BUTTON ? 'panning' : 'painting');
        if (memo === undefined && doing === 'painting') {
          const reach = event.pointerType === 'mouse' ? MOUSE_REACH_PX : FINGER_REACH_PX;
          begin(marking, view.toPicture(placeOf(event)), view.scale, reach);
        }
        if (doing === 'panning') view.move({ x, y });
        if (doing === 'painting') paint(event, last);
        return doing;
      },
    },
    {
      ...(host && { target: host }),
      eventOptions: { passive: false },
      pinch: { pinchOnWheel: false },
      drag: { pointer: { keys: false, buttons: [1, MIDDLE_BUTTON] } },
    },
  );
}
