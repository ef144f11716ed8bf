import {
  cornerOf,
  fit,
  fittingScale,
  moveBy,
  zoomTo,
  type Point,
  type Space,
  type View,
} from '../platform/pan-zoom.ts';
import { Renderer, toWindow, type Placed } from './renderer.ts';
import { startDrag } from './box.ts';
import type { Loaded } from './load-picture.ts';
import type { Box, Brush, Size, Step } from './marks.ts';
import { Strokes } from './strokes.ts';

export type Tool = Brush | 'box';
export type MarkCanvasState = {
  tool: Tool;
  diameter: number;
  zoomPercent: number;
  canUndo: boolean;
  canRedo: boolean;
};
export type MarkCanvasParts = { host: HTMLElement; canvas: HTMLCanvasElement; ring: HTMLElement };
type MarkCanvasOptions = MarkCanvasParts & {
  loaded: Loaded;
  earlier: readonly Step[];
  tool: Tool;
  diameter: number;
  onChange: (state: MarkCanvasState) => void;
  /** After each step that was made, undone or done again, at once: the page may go away right behind it. */
  onSteps: (steps: Step[]) => void;
  onSay: (sentence: string) => void;
};

const MARGIN_PX = 24;
/** Largest scale, as a multiple of the one at which the whole picture is seen. */
const MOST_ZOOM = 16;
export const LEAST_DIAMETER = 8;
export const MOST_DIAMETER = 120;
const TOOL_NAMES: Record<Tool, string> = { keep: 'Keep', drop: 'Remove', box: 'Box' };

/** A photo that is painted on: what is seen of it, with which tool, and what was done. Lives as long as its dialog. */
export class MarkCanvas {
  private readonly parts: MarkCanvasParts;
  private readonly renderer: Renderer;
  private readonly strokes: Strokes;
  private readonly hasCutout: boolean;
  private readonly picture: Size;
  private readonly onChange: (state: MarkCanvasState) => void;
  private readonly onSteps: MarkCanvasOptions['onSteps'];
  private readonly say: (sentence: string) => void;
  private readonly watcher: ResizeObserver;
  private window: Size = { width: 1, height: 1 };
  private view: View = { scale: 1, x: 0, y: 0 };
  private tool: Tool;
  private diameter: number;
  private boxDrag: { to: (place: Point) => Box | null; box: Box | null } | null = null;
  private frame = 0;
  private lastState = '';

  constructor({ loaded, earlier, tool, diameter, onChange, onSteps, onSay, ...parts }: MarkCanvasOptions) {
    this.parts = parts;
    this.picture = loaded.untaken;
    this.hasCutout = loaded.hasCutout;
    this.strokes = new Strokes(this.picture, earlier);
    this.renderer = new Renderer(parts.canvas, loaded);
    this.renderer.paint(earlier, this.box);
    this.tool = tool;
    this.diameter = diameter;
    this.onChange = onChange;
    this.onSteps = onSteps;
    this.say = onSay;
    this.watcher = new ResizeObserver(() => this.measure());
    this.watcher.observe(parts.host);
    this.measure();
  }

  close(): void {
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
  }

  get steps(): Step[] {
    return this.strokes.steps;
  }
  get size(): Size {
    return this.picture;
  }
  get host(): HTMLElement {
    return this.parts.host;
  }
  private get box(): Box | null {
    return this.boxDrag === null ? this.strokes.box : this.boxDrag.box;
  }
  get isBoxing(): boolean {
    return this.tool === 'box';
  }

  choose(tool: Tool): void {
    this.tool = tool;
    this.say(tool === 'box' ? 'Box' : `${TOOL_NAMES[tool]} brush`);
    this.changed();
  }
  resizeBrush(diameter: number): void {
    this.diameter = Math.min(MOST_DIAMETER, Math.max(LEAST_DIAMETER, Math.round(diameter)));
    this.changed();
  }
  stepBrush(direction: 1 | -1): void {
    this.resizeBrush(this.diameter + direction * Math.max(2, Math.round(this.diameter * 0.15)));
    this.say(`Brush size ${this.diameter}`);
  }

  undo(): void {
    this.goBack(this.strokes.undo(), 'Undone');
  }
  redo(): void {
    this.goBack(this.strokes.redo(), 'Done again');
  }
  private goBack(step: Step | null, words: string): void {
    if (step !== null) this.stepped(`${words}: ${TOOL_NAMES[step.kind]}`);
  }
  private stepped(words: string): void {
    this.renderer.paint(this.steps, this.box);
    this.onSteps(this.steps);
    this.say(words);
    this.changed();
  }

  zoom(factor: number, at = this.middle): void {
    const fromMiddle = { x: at.x - this.middle.x, y: at.y - this.middle.y };
    this.look(zoomTo(this.view, this.view.scale * factor, fromMiddle, this.space));
  }
  fit(): void {
    this.look(fit(this.space));
  }
  pan(byX: number, byY: number): void {
    this.look(moveBy(this.view, { x: byX, y: byY }, this.space));
  }
  reveal(place: Point): Point {
    const { x, y } = toWindow(this.placed, place);
    this.pan(missingRoom(x, this.window.width), missingRoom(y, this.window.height));
    return toWindow(this.placed, place);
  }
  placeOf(at: Point): Point {
    const { scale, x, y } = this.placed;
    return { x: (at.x - x) / scale, y: (at.y - y) / scale };
  }
  get scale(): number {
    return this.view.scale;
  }
  private look(view: View): void {
    this.view = view;
    this.changed();
  }
  private get middle(): Point {
    return { x: this.window.width / 2, y: this.window.height / 2 };
  }
  private get placed(): Placed {
    return { scale: this.view.scale, ...cornerOf(this.view, this.space) };
  }
  private get space(): Space {
    const { picture, window } = this;
    const whole = fittingScale(picture, window, Math.min(MARGIN_PX, window.width / 12, window.height / 12));
    return { picture, frame: window, margin: MARGIN_PX, whole, most: whole * MOST_ZOOM };
  }
  isTaken(place: Point): boolean {
    return this.renderer.isTaken(place);
  }

  begin(at: Point, reach: number): void {
    const place = this.placeOf(at);
    const { box } = this.strokes;
    if (this.tool === 'box') this.boxDrag = { to: startDrag(this.picture, box, place, reach / this.view.scale), box };
    else this.strokes.begin(this.tool, place, this.radius);
    this.request();
  }
  moveTo(at: Point): void {
    if (this.boxDrag !== null) {
      this.boxDrag.box = this.boxDrag.to(this.placeOf(at));
      this.renderer.paint(this.steps, this.box);
    } else this.strokes.moveTo(this.placeOf(at), this.radius);
    this.request();
  }
  end(): void {
    const box = this.boxDrag?.box ?? null;
    this.boxDrag = null;
    const stroke = this.strokes.end();
    if (box !== null) this.setBox(box);
    else if (stroke !== null) this.stepped(stroke.kind === 'keep' ? 'Kept' : 'Removed');
    else this.request();
  }
  cancel(): void {
    this.boxDrag = null;
    this.strokes.cancel();
    this.renderer.paint(this.steps, this.box);
    this.request();
  }
  setBox(box: Box): void {
    this.strokes.setBox(box);
    this.stepped(describeBox(box));
  }

  point(at: Point | null, withCross = false): void {
    const { ring } = this.parts;
    ring.hidden = at === null || (this.tool === 'box' && !withCross);
    ring.dataset['cross'] = String(withCross);
    if (at === null) return;
    const side = this.tool === 'box' ? 28 : this.diameter;
    ring.style.width = ring.style.height = `${side}px`;
    ring.style.transform = `translate(${at.x - side / 2}px, ${at.y - side / 2}px)`;
    ring.dataset['tool'] = this.tool;
  }

  private get radius(): number {
    return this.diameter / 2 / this.view.scale;
  }

  private measure(): void {
    const { clientWidth, clientHeight } = this.parts.host;
    const isFit = this.lastState === '' || this.zoomPercent === 100;
    this.window = { width: Math.max(1, clientWidth), height: Math.max(1, clientHeight) };
    this.renderer.resize(this.window);
    if (isFit) this.fit();
    else this.zoom(1);
    this.draw();
  }

  private get zoomPercent(): number {
    return Math.round((this.view.scale / this.space.whole) * 100);
  }

  private changed(): void {
    const { tool, diameter, zoomPercent } = this;
    const { canUndo, canRedo } = this.strokes;
    const state = { tool, diameter, zoomPercent, canUndo, canRedo };
    const text = JSON.stringify(state);
    if (text !== this.lastState) this.onChange(state);
    this.lastState = text;
    this.request();
  }

  private request(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    const { current, steps } = this.strokes;
    // Where no edge can be shown yet, the strokes themselves stay in sight.
    const painted = this.hasCutout ? [] : steps.filter((step) => step.kind !== 'box');
    this.renderer.draw({
      placed: this.placed,
      box: this.box,
      strokes: current === null ? painted : [...painted, current],
    });
  }
}

function missingRoom(at: number, length: number): number {
  const room = 3 * MARGIN_PX;
  return at < room ? room - at : Math.min(0, length - room - at);
}

const percent = (share: number) => `${Math.round(share * 100)}`;

function describeBox([left, top, right, bottom]: Box): string {
  return `Box from ${percent(left)} to ${percent(right)} % across and ${percent(top)} to ${percent(bottom)} % down`;
}
