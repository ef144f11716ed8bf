import { useState, type KeyboardEvent } from 'react';
import { useGesture } from '@use-gesture/react';
import { ARROWS } from '../../platform/pan-zoom.ts';
import { clampPlace, drawGhost, type Ghost, type Place, type Point } from './placed-product.ts';

type Grip = 'move' | 'size' | 'turn';
/** A drag: its grip, its start (in window pixels), and the placement at its start. */
type Hold = { grip: Grip; start: Point; place: Place };

const KEY_STEP = 0.01;
const KEY_SMALL_STEP = 0.002;
const KEY_TURN = 2;
const KEY_SIZE = 1.05;

/** The product's placement and how it is changed by mouse, by one or two fingers, and by keys. */
export function usePlacing(first: Place, ghost: Ghost) {
  const [place, setPlace] = useState(first);
  const [said, say] = useState('');
  const change = (part: Partial<Place>) => setPlace(clampPlace({ ...place, ...part }));
  const move = (part: Partial<Place>, from = place) => {
    const next = clampPlace({ ...from, ...part });
    setPlace(next);
    say(describe(part, next));
  };
  const bind = useGesture(
    {
      onDrag: ({ event, xy, pinching, memo }): Hold | null => {
        // After a pinch the remaining finger continues from its position.
        if (pinching) return null;
        const held: Hold = (memo as Hold | null | undefined) ?? { grip: gripOf(event.target), start: xy, place };
        move(drag(held, xy, (event.currentTarget as Element).getBoundingClientRect()), held.place);
        return held;
      },
      onPinch: ({ movement: [grown, turned], memo = place }): Place => {
        const { scale, rotate } = memo as Place;
        move({ scale: scale * grown, rotate: rotate + turned }, memo as Place);
        return memo as Place;
      },
    },
    { drag: { pointer: { keys: false } }, pinch: { pinchOnWheel: false } },
  );
  const handleKey = (event: KeyboardEvent) => {
    const part = ofKey(event, place);
    if (part === null) return;
    event.preventDefault();
    move(part);
  };
  return {
    place,
    /** The last change made here, for screen readers; the sliders announce their own values. */
    said,
    change,
    ...drawGhost(ghost, place),
    held: bind(),
    onKeyDown: handleKey,
  };
}

const gripOf = (target: EventTarget | null): Grip =>
  ((target instanceof HTMLElement && target.dataset['grip']) as Grip | undefined | false) || 'move';

function drag({ grip, start, place }: Hold, now: Point, frame: DOMRect): Partial<Place> {
  const { x, y, scale, rotate } = place;
  if (grip === 'move') {
    return { x: x + (now[0] - start[0]) / frame.width, y: y + (now[1] - start[1]) / frame.height };
  }
  const foot: Point = [frame.left + x * frame.width, frame.top + y * frame.height];
  if (grip === 'size') return { scale: scale * (distance(foot, now) / Math.max(1, distance(foot, start))) };
  return { rotate: rotate + angle(foot, now) - angle(foot, start) };
}

const distance = (one: Point, other: Point) => Math.hypot(one[0] - other[0], one[1] - other[1]);
const angle = (from: Point, to: Point) => (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;

function ofKey({ key, shiftKey }: KeyboardEvent, { x, y, scale, rotate }: Place): Partial<Place> | null {
  const arrow = ARROWS[key];
  const step = shiftKey ? KEY_SMALL_STEP : KEY_STEP;
  if (arrow !== undefined) return { x: x + arrow[0] * step, y: y + arrow[1] * step };
  if (key === '+' || key === '=') return { scale: scale * KEY_SIZE };
  if (key === '-') return { scale: scale / KEY_SIZE };
  if (key === '[') return { rotate: rotate - KEY_TURN };
  return key === ']' ? { rotate: rotate + KEY_TURN } : null;
}

function describe(part: Partial<Place>, { x, y, scale, rotate }: Place): string {
  return [
    ...(part.x === undefined ? [] : [`${percent(x)} % across, ${percent(y)} % down`]),
    ...(part.scale === undefined ? [] : [`Size ${percent(scale)} %`]),
    ...(part.rotate === undefined ? [] : [`Turn ${Math.round(rotate)} °`]),
  ].join(', ');
}

const percent = (share: number) => Math.round(share * 100);
