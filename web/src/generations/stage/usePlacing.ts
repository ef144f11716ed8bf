import { useState, type KeyboardEvent } from 'react';
import { useGesture } from '@use-gesture/react';
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
type Hold = { grip: Grip; start: Point; standing: Standing };

const KEY_STEP = 0.01;
const KEY_SMALL_STEP = 0.002;
const KEY_TURN = 2;
const KEY_SIZE = 1.05;

/** Where the product stands and how it is moved there: by mouse, by one or two fingers, by keys. */
export function usePlacing(first: Standing, full: number, outline: Outline, ratio: number) {
  const [standing, setStanding] = useState(first);
  const change = (part: Partial<Standing>, from = standing) => {
    const next = { ...from, ...part };
    setStanding({
      x: clampShare(next.x),
      y: clampShare(next.y),
      size: clampSize(next.size, full),
      rotate: clampTurn(next.rotate),
    });
  };
  const bind = useGesture(
    {
      onDrag: ({ event, xy, pinching, memo }): Hold | null => {
        // The finger that stays after a pinch goes on from where it is.
        if (pinching) return null;
        const held: Hold = (memo as Hold | null | undefined) ?? { grip: gripOf(event.target), start: xy, standing };
        change(drag(held, xy, (event.currentTarget as Element).getBoundingClientRect()), held.standing);
        return held;
      },
      onPinch: ({ movement: [grown, turned], memo = standing }): Standing => {
        const { size, rotate } = memo as Standing;
        change({ size: size * grown, rotate: rotate + turned }, memo as Standing);
        return memo as Standing;
      },
    },
    { drag: { pointer: { keys: false } }, pinch: { pinchOnWheel: false } },
  );
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
    held: bind(),
    onKeyDown: handleKey,
  };
}

const gripOf = (target: EventTarget | null): Grip =>
  ((target instanceof HTMLElement && target.dataset['grip']) as Grip | undefined | false) || 'move';

function drag({ grip, start, standing }: Hold, now: Point, frame: DOMRect): Partial<Standing> {
  const { x, y, size, rotate } = standing;
  if (grip === 'move') {
    return { x: x + (now[0] - start[0]) / frame.width, y: y + (now[1] - start[1]) / frame.height };
  }
  const foot: Point = [frame.left + x * frame.width, frame.top + y * frame.height];
  if (grip === 'size') return { size: size * (distance(foot, now) / Math.max(1, distance(foot, start))) };
  return { rotate: rotate + angle(foot, now) - angle(foot, start) };
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
