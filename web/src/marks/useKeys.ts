import { useEffect, useRef, type KeyboardEvent } from 'react';
import { clamp } from '../platform/clamp.ts';
import { ARROWS, type Point } from '../platform/pan-zoom.ts';
import { boxBetween } from './box.ts';
import {
  begin,
  choose,
  end,
  isProduct,
  type Marking,
  moveTo,
  redo,
  setBox,
  stepBrush,
  type Tool,
  undo,
} from './marking.ts';
import type { MarkView, Pointed } from './useMarkView.ts';

const STEP_PX = 8;
const FINE_PX = 1;
const QUIET_MS = 350;
const TOOLS: Record<string, Tool> = { b: 'box', k: 'keep', r: 'drop' };

export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Arrows', 'move the cross, with Shift in small steps'],
  ['Space', 'paints; hold it and move. With the box: sets a corner'],
  ['K, R, B', 'Keep, Remove, Box'],
  ['[ ]', 'smaller, larger brush (wheel with Alt)'],
  ['+ − 0', 'zoom in, out, whole picture (wheel with Ctrl)'],
  ['Ctrl Z, Ctrl Y', 'Undo, Redo'],
  ['Tab', 'leaves the picture'],
];

/** Keyboard control: a crosshair moves over the picture and does what a pointer can. */
export function useKeys(marking: Marking, view: MarkView, onPoint: (pointed: Pointed | null) => void) {
  const cross = useCross(marking, view);
  const take = (key: string, isFine: boolean): boolean => {
    const { place } = cross;
    const [arrow, tool] = [ARROWS[key], TOOLS[key]];
    if (arrow !== undefined) cross.move(arrow, isFine ? FINE_PX : STEP_PX);
    else if (tool !== undefined) {
      cross.forgetCorner();
      choose(marking, tool);
    } else if (key === ' ') cross.press();
    else if (key === '[' || key === ']') stepBrush(marking, key === ']' ? 1 : -1);
    else if (key === '+' || key === '=') view.zoomAt(1.25, place.current);
    else if (key === '-') view.zoomAt(0.8, place.current);
    else if (key === '0') view.showWhole();
    else return false;
    view.reveal(place.current);
    onPoint({ place: place.current });
    return true;
  };
  return {
    onKeyDown: (event: KeyboardEvent) => {
      cross.hush();
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const withCtrl = event.ctrlKey || event.metaKey;
      const isHandled = withCtrl ? goBack(marking, key, event.shiftKey) : !event.altKey && take(key, event.shiftKey);
      if (isHandled) event.preventDefault();
    },
    onKeyUp: ({ key }: KeyboardEvent) => key === ' ' && cross.release(),
    onBlur: () => {
      cross.hush();
      cross.release();
      onPoint(null);
    },
  };
}

/** Position and action of the crosshair; the position is announced once it rests. */
function useCross(marking: Marking, view: MarkView) {
  const { size } = marking.loaded;
  const place = useRef({ x: size.width / 2, y: size.height / 2 });
  const corner = useRef<Point | null>(null);
  const isHeld = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const setCorner = () => {
    const box = corner.current && boxBetween(corner.current, place.current, size);
    corner.current = box === null ? place.current : null;
    if (box !== null) setBox(marking, box);
    else marking.onSay('First corner set. Move to the opposite corner and press Space.');
  };
  const hush = () => clearTimeout(timer.current);
  return {
    place,
    hush,
    forgetCorner: () => (corner.current = null),
    move: ([right, down]: readonly [number, number], stepPx: number) => {
      const { x, y } = place.current;
      const step = stepPx / view.scale;
      const within = (value: number, length: number) => clamp(value, 0.5, length - 0.5);
      place.current = { x: within(x + right * step, size.width), y: within(y + down * step, size.height) };
      if (isHeld.current) moveTo(marking, place.current, view.scale);
      timer.current = setTimeout(() => marking.onSay(describe(marking, place.current)), QUIET_MS);
    },
    press: () => {
      if (isHeld.current) return;
      if (marking.getState().tool === 'box') return setCorner();
      isHeld.current = true;
      begin(marking, place.current, view.scale, 0);
    },
    release: () => {
      if (!isHeld.current) return;
      isHeld.current = false;
      hush();
      end(marking);
    },
  };
}

function goBack(marking: Marking, key: string, withShift: boolean): boolean {
  if (key === 'z' && !withShift) undo(marking);
  else if (key === 'y' || key === 'z') redo(marking);
  else return false;
  return true;
}

function describe(marking: Marking, place: Point): string {
  const { width, height } = marking.loaded.size;
  const [across, down] = [place.x / width, place.y / height].map((share) => Math.round(share * 100));
  return `${across} % across, ${down} % down, ${isProduct(marking, place) ? 'kept' : 'removed'}`;
}
