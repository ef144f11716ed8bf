import { createStore, type StoreApi } from 'zustand';
import { clamp } from '../platform/clamp.ts';
import type { Point, Size } from '../platform/pan-zoom.ts';
import { FIRST_BOX, startDrag } from './box.ts';
import type { Loaded } from './load-picture.ts';
import { boxOf, isInStroke, type Box, type Brush, type Dot, type Step, type Stroke } from './marks.ts';

/** Steps made on a photo in the editor, and those undone. Points are in pixels of the picture. */
export type MarkingState = {
  tool: Tool;
  /** Brush radius in pixels of the window. */
  diameter: number;
  steps: readonly Step[];
  undone: readonly Step[];
  /** Stroke being painted. */
  stroke: OpenStroke | null;
  /** Box being dragged or drawn. */
  drag: { box: Box | null; to: (place: Point) => Box | null } | null;
};
export type Tool = Brush | 'box';
type OpenStroke = Stroke & { last: Point };

export type Marking = StoreApi<MarkingState> & MarkingOptions;
export type MarkingOptions = {
  loaded: Loaded;
  /** True if nothing has been cut out of the photo yet. */
  isFirst: boolean;
  /** Called after each step, undo and redo, because the page may close right after. */
  onSteps: (steps: Step[]) => void;
  onSay: (sentence: string) => void;
};

export const DIAMETERS = { min: 8, max: 120 };
const FIRST_DIAMETER = 40;
/** A first try starts with a box that only has to be moved. */
const FIRST_STEPS: readonly Step[] = [{ kind: 'box', box: FIRST_BOX }];
const TOOL_NAMES: Record<Tool, string> = { keep: 'Keep', drop: 'Remove', box: 'Box' };
/** Spacing of the dots, as a share of the brush's radius. */
const SPACING = 0.3;

export function createMarking(earlier: readonly Step[], options: MarkingOptions): Marking {
  const store = createStore<MarkingState>(() => ({
    tool: options.isFirst ? 'box' : 'keep',
    diameter: FIRST_DIAMETER,
    steps: earlier.length > 0 || !options.isFirst ? earlier : FIRST_STEPS,
    undone: [],
    stroke: null,
    drag: null,
  }));
  return { ...store, ...options };
}

export function choose({ setState, onSay }: Marking, tool: Tool): void {
  setState({ tool });
  onSay(tool === 'box' ? 'Box' : `${TOOL_NAMES[tool]} brush`);
}

export function resizeBrush({ setState }: Marking, diameter: number): void {
  setState({ diameter: clamp(Math.round(diameter), DIAMETERS.min, DIAMETERS.max) });
}

export function stepBrush(marking: Marking, direction: 1 | -1): void {
  const { diameter } = marking.getState();
  resizeBrush(marking, diameter + direction * Math.max(2, Math.round(diameter * 0.15)));
  marking.onSay(`Brush size ${marking.getState().diameter}`);
}

export function undo(marking: Marking): void {
  const { steps, undone } = marking.getState();
  const last = steps.at(-1);
  if (last !== undefined) goTo(marking, steps.slice(0, -1), [...undone, last], `Undone: ${TOOL_NAMES[last.kind]}`);
}

export function redo(marking: Marking): void {
  const { steps, undone } = marking.getState();
  const last = undone.at(-1);
  if (last !== undefined) goTo(marking, [...steps, last], undone.slice(0, -1), `Done again: ${TOOL_NAMES[last.kind]}`);
}

export function setBox(marking: Marking, box: Box): void {
  const [left, top, right, bottom] = box.map((share) => `${Math.round(share * 100)}`);
  add(marking, { kind: 'box', box }, `Box from ${left} to ${right} % across and ${top} to ${bottom} % down`);
}

const add = (marking: Marking, step: Step, words: string) =>
  goTo(marking, [...marking.getState().steps, step], [], words);

function goTo({ setState, onSteps, onSay }: Marking, steps: Step[], undone: readonly Step[], words: string): void {
  setState({ steps, undone, stroke: null, drag: null });
  onSteps(steps);
  onSay(words);
}

/** `scale`: window pixels per picture pixel; `reach` around the box, in window pixels. */
export function begin({ getState, setState, loaded }: Marking, place: Point, scale: number, reach: number): void {
  const { tool, diameter, steps } = getState();
  if (tool === 'box') {
    const box = boxOf(steps);
    setState({ drag: { box, to: startDrag(loaded.size, box, place, reach / scale) } });
  } else {
    const dots = dotsAt(loaded.size, [place], diameter / 2 / scale);
    setState({ stroke: { kind: tool, dots, last: place } });
  }
}

export function moveTo({ getState, setState, loaded }: Marking, place: Point, scale: number): void {
  const { stroke, drag, diameter } = getState();
  if (drag !== null) setState({ drag: { ...drag, box: drag.to(place) } });
  if (stroke === null) return;
  const radius = diameter / 2 / scale;
  const { kind, dots, last } = stroke;
  const [right, down] = [place.x - last.x, place.y - last.y];
  const count = Math.floor(Math.hypot(right, down) / Math.max(1, radius * SPACING));
  if (count === 0) return;
  const between = Array.from({ length: count }, (_none, at) => {
    const share = (at + 1) / count;
    return { x: last.x + right * share, y: last.y + down * share };
  });
  setState({ stroke: { kind, dots: [...dots, ...dotsAt(loaded.size, between, radius)], last: place } });
}

export function end(marking: Marking): void {
  const { stroke, drag } = marking.getState();
  cancel(marking);
  if (drag?.box) setBox(marking, drag.box);
  else if (stroke !== null && stroke.dots.length > 0) {
    const { kind, dots } = stroke;
    add(marking, { kind, dots }, kind === 'keep' ? 'Kept' : 'Removed');
  }
}

export const cancel = ({ setState }: Marking) => setState({ stroke: null, drag: null });

/** True if the point belongs to the product after all steps. */
export function isProduct({ getState, loaded: { size, background } }: Marking, { x, y }: Point): boolean {
  const { steps } = getState();
  const [across, down] = [x / size.width, y / size.height];
  const [left, top, right, bottom] = boxOf(steps) ?? [0, 0, 1, 1];
  if (across < left || across > right || down < top || down > bottom) return false;
  const over = steps.findLast((step) => step.kind !== 'box' && isInStroke(step, [across, down], size));
  return over === undefined ? background === null || background.isProductAt(x, y) : over.kind === 'keep';
}

function dotsAt({ width, height }: Size, places: Point[], radius: number): Dot[] {
  const inside = places.filter(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height);
  return inside.map(({ x, y }) => [x / width, y / height, radius / Math.max(width, height)]);
}
