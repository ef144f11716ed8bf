import type { Point } from '../platform/pan-zoom.ts';
import { boxBetween } from './box.ts';
import type { MarkCanvas, Tool } from './mark-canvas.ts';

const STEP_PX = 8;
const FINE_PX = 1;
const QUIET_MS = 350;
const TOOLS: Record<string, Tool> = { b: 'box', k: 'keep', r: 'drop' };
const ARROWS: Record<string, readonly [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Arrows', 'move the cross, with Shift in small steps'],
  ['Space', 'paints; hold it and move. With the box: sets a corner'],
  ['K, R, B', 'Keep, Remove, Box'],
  ['[ ]', 'smaller, larger brush (wheel with Alt)'],
  ['+ − 0', 'zoom in, out, whole picture (wheel with Ctrl)'],
  ['Ctrl Z, Ctrl Y', 'Undo, Redo'],
  ['Tab', 'leaves the picture'],
];

/** Everything a pointer does, with keys: a cross is moved over the picture. Returns what ends it. */
export function listenToKeys(markCanvas: MarkCanvas, host: HTMLElement, say: (sentence: string) => void): () => void {
  const cross = new Cross(markCanvas, say);
  const ending = new AbortController();
  const { signal } = ending;
  host.addEventListener(
    'keydown',
    (event) => {
      if (cross.take(event)) event.preventDefault();
    },
    { signal },
  );
  host.addEventListener('keyup', (event) => event.key === ' ' && cross.release(), { signal });
  host.addEventListener('blur', () => cross.leave(), { signal });
  return () => {
    cross.leave();
    ending.abort();
  };
}

class Cross {
  private readonly markCanvas: MarkCanvas;
  private readonly say: (sentence: string) => void;
  private place: Point;
  private corner: Point | null = null;
  private isHeld = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(markCanvas: MarkCanvas, say: (sentence: string) => void) {
    this.markCanvas = markCanvas;
    this.say = say;
    this.place = { x: markCanvas.size.width / 2, y: markCanvas.size.height / 2 };
  }

  take(event: KeyboardEvent): boolean {
    clearTimeout(this.timer);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) return this.takeWithCtrl(key, event.shiftKey);
    if (event.altKey) return false;
    const arrow = ARROWS[key];
    if (arrow !== undefined) this.move(arrow, event.shiftKey ? FINE_PX : STEP_PX);
    else if (key === ' ') this.press(event.repeat);
    else return this.takeLetter(key);
    return true;
  }

  private takeWithCtrl(key: string, withShift: boolean): boolean {
    if (key === 'z' && !withShift) this.markCanvas.undo();
    else if (key === 'y' || key === 'z') this.markCanvas.redo();
    else return false;
    return true;
  }

  private takeLetter(key: string): boolean {
    const tool = TOOLS[key];
    if (tool !== undefined) {
      this.corner = null;
      this.markCanvas.choose(tool);
    } else if (key === '[' || key === ']') this.markCanvas.stepBrush(key === ']' ? 1 : -1);
    else if (key === '+' || key === '=') this.markCanvas.zoom(1.25, this.seen());
    else if (key === '-') this.markCanvas.zoom(0.8, this.seen());
    else if (key === '0') this.markCanvas.fit();
    else return false;
    this.show();
    return true;
  }

  private move([right, down]: readonly [number, number], stepPx: number): void {
    const { width, height } = this.markCanvas.size;
    const step = stepPx / this.markCanvas.scale;
    this.place = {
      x: Math.min(width - 0.5, Math.max(0.5, this.place.x + right * step)),
      y: Math.min(height - 0.5, Math.max(0.5, this.place.y + down * step)),
    };
    this.show();
    if (this.isHeld) this.markCanvas.moveTo(this.seen());
    this.timer = setTimeout(() => this.say(this.describe()), QUIET_MS);
  }

  private press(isRepeated: boolean): void {
    if (isRepeated || this.isHeld) return;
    this.show();
    if (this.markCanvas.isBoxing) return this.setCorner();
    this.isHeld = true;
    this.markCanvas.begin(this.seen(), 0);
  }

  private setCorner(): void {
    const box = this.corner && boxBetween(this.corner, this.place, this.markCanvas.size);
    if (box !== null) {
      this.markCanvas.setBox(box);
      this.corner = null;
    } else {
      this.corner = this.place;
      this.say('First corner set. Move to the opposite corner and press Space.');
    }
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.markCanvas.end();
  }

  leave(): void {
    clearTimeout(this.timer);
    this.release();
    this.markCanvas.point(null);
  }

  private show(): void {
    this.markCanvas.point(this.seen(), true);
  }

  /** Where in the window the cross is; the picture is moved when it would be outside. */
  private seen(): Point {
    return this.markCanvas.reveal(this.place);
  }

  private describe(): string {
    const { width, height } = this.markCanvas.size;
    const [across, down] = [this.place.x / width, this.place.y / height].map((share) => Math.round(share * 100));
    return `${across} % across, ${down} % down, ${this.markCanvas.isTaken(this.place) ? 'kept' : 'removed'}`;
  }
}
