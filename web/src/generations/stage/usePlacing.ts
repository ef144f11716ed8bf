import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import {
  boundsOf,
  clampShare,
  clampSize,
  clampTurn,
  footOf,
  turnOutline,
  type Outline,
  type Standing,
} from './standing.ts';

type Point = readonly [x: number, y: number];
type Grip = 'move' | 'size' | 'turn';
/** What is held: by which grip, where it was taken, and how the product stood then. Places in pixels of the window. */
type Hold = { grip: Grip; from: ReadonlyMap<number, Point>; standing: Standing };

const KEY_STEP = 0.01;
const KEY_SMALL_STEP = 0.002;
const KEY_TURN = 2;
const KEY_SIZE = 1.05;

/** Where the product stands and how it is moved there: by mouse, by one or two fingers, by keys. */
export function usePlacing(first: Standing, full: number, outline: Outline, ratio: number) {
  const [standing, setStanding] = useState(first);
  const hold = useRef<Hold | null>(null);
  const change = (part: Partial<Standing>, from = standing) => {
    const next = { ...from, ...part };
    setStanding({
      x: clampShare(next.x),
      y: clampShare(next.y),
      size: clampSize(next.size, full),
      rotate: clampTurn(next.rotate),
    });
  };
  const handleDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const grip = (event.target as HTMLElement).dataset['grip'] as Grip | undefined;
    const from = new Map(hold.current?.from).set(event.pointerId, placeOf(event));
    hold.current = { grip: from.size > 1 ? 'move' : (grip ?? 'move'), from, standing };
  };
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    const held = hold.current;
    const start = held?.from.get(event.pointerId);
    if (held === null || start === undefined) return;
    const now = placeOf(event);
    const frame = event.currentTarget.getBoundingClientRect();
    const other = [...held.from].find(([id]) => id !== event.pointerId)?.[1];
    change(other ? pinch(held.standing, other, start, now) : drag(held, start, now, frame), held.standing);
  };
  const handleUp = (event: PointerEvent<HTMLElement>) => {
    if (hold.current === null) return;
    // The finger that stays goes on from here.
    const from = new Map(hold.current.from);
    from.delete(event.pointerId);
    hold.current = from.size === 0 ? null : { grip: 'move', from, standing };
  };
  const handleKey = (event: KeyboardEvent) => {
    const part = ofKey(event, standing);
    if (part === null) return;
    event.preventDefault();
    change(part);
  };
  return {
    standing,
    change,
    corners: cornersOf(standing, outline, ratio),
    held: { onPointerDown: handleDown, onPointerMove: handleMove, onPointerUp: handleUp, onPointerCancel: handleUp },
    onKeyDown: handleKey,
  };
}

const placeOf = ({ clientX, clientY }: PointerEvent): Point => [clientX, clientY];

function drag({ grip, standing }: Hold, start: Point, now: Point, frame: DOMRect): Partial<Standing> {
  const { x, y, size, rotate } = standing;
  if (grip === 'move') {
    return { x: x + (now[0] - start[0]) / frame.width, y: y + (now[1] - start[1]) / frame.height };
  }
  const foot: Point = [frame.left + x * frame.width, frame.top + y * frame.height];
  if (grip === 'size') return { size: size * (distance(foot, now) / Math.max(1, distance(foot, start))) };
  return { rotate: rotate + angle(foot, now) - angle(foot, start) };
}

function pinch({ size, rotate }: Standing, still: Point, start: Point, now: Point): Partial<Standing> {
  const grown = distance(still, now) / Math.max(1, distance(still, start));
  return { size: size * grown, rotate: rotate + angle(still, now) - angle(still, start) };
}

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const angle = (from: Point, to: Point) => (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;

const ARROWS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function ofKey({ key, shiftKey }: KeyboardEvent, { x, y, size, rotate }: Standing): Partial<Standing> | null {
  const arrow = ARROWS[key];
  const step = shiftKey ? KEY_SMALL_STEP : KEY_STEP;
  if (arrow !== undefined) return { x: x + arrow[0] * step, y: y + arrow[1] * step };
  if (key === '+' || key === '=') return { size: size * KEY_SIZE };
  if (key === '-') return { size: size / KEY_SIZE };
  if (key === '[') return { rotate: rotate - KEY_TURN };
  return key === ']' ? { rotate: rotate + KEY_TURN } : null;
}

function cornersOf({ x, y, size, rotate }: Standing, outline: Outline, ratio: number) {
  const turned = turnOutline(outline, ratio, rotate);
  const [footX, footY] = footOf(turned);
  const bounds = boundsOf(turned);
  const [left, right] = [x + (bounds.left - footX) * size, x + (bounds.right - footX) * size];
  const [top, bottom] = [y + (bounds.top - footY) * size, y + (bounds.bottom - footY) * size];
  return { left, right, top, bottom };
}
