import { boxBetween } from './box.ts';
import type { Easel, Tool } from './easel.ts';
import type { Point } from './view.ts';

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

/** What the keys do while the picture has the focus, as it is written in the dialog. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Arrows', 'move the cross, with Shift in small steps'],
  ['Space', 'paints; hold it and move. With the box: sets a corner'],
  ['K, R, B', 'Keep, Remove, Box'],
  ['[ ]', 'smaller, larger brush (wheel with Alt)'],
  ['+ − 0', 'zoom in, out, whole picture (wheel with Ctrl)'],
  ['Ctrl Z, Ctrl Y', 'Undo, Redo'],
  ['G', 'Photo or grid around the cut-out'],
  ['Tab', 'leaves the picture'],
];

/** Everything a pointer does, with keys: a cross is moved over the picture. Returns what ends it. */
export function listenToKeys(easel: Easel, host: HTMLElement, say: (sentence: string) => void): () => void {
  const cross = new Cross(easel, say);
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
  private readonly easel: Easel;
  private readonly say: (sentence: string) => void;
  /** In pixels of the picture. */
  private place: Point;
  private corner: Point | null = null;
  private isHeld = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(easel: Easel, say: (sentence: string) => void) {
    this.easel = easel;
    this.say = say;
    this.place = { x: easel.size.width / 2, y: easel.size.height / 2 };
  }

  /** Whether the key was one of ours. */
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
    if (key === 'z' && !withShift) this.easel.undo();
    else if (key === 'y' || key === 'z') this.easel.redo();
    else return false;
    return true;
  }

  private takeLetter(key: string): boolean {
    const tool = TOOLS[key];
    if (tool !== undefined) {
      this.corner = null;
      this.easel.choose(tool);
    } else if (key === '[' || key === ']') this.easel.stepBrush(key === ']' ? 1 : -1);
    else if (key === '+' || key === '=') this.easel.zoom(1.25, this.seen());
    else if (key === '-') this.easel.zoom(0.8, this.seen());
    else if (key === '0') this.easel.fit();
    else if (key === 'g') this.easel.toggleGround();
    else return false;
    this.show();
    return true;
  }

  private move([right, down]: readonly [number, number], stepPx: number): void {
    const { width, height } = this.easel.size;
    const step = stepPx / this.easel.scale;
    this.place = {
      x: Math.min(width - 0.5, Math.max(0.5, this.place.x + right * step)),
      y: Math.min(height - 0.5, Math.max(0.5, this.place.y + down * step)),
    };
    this.show();
    if (this.isHeld) this.easel.moveTo(this.seen());
    this.timer = setTimeout(() => this.say(this.describe()), QUIET_MS);
  }

  private press(isRepeated: boolean): void {
    if (isRepeated || this.isHeld) return;
    this.show();
    if (this.easel.isBoxing) return this.setCorner();
    this.isHeld = true;
    this.easel.begin(this.seen(), 0);
  }

  private setCorner(): void {
    const box = this.corner && boxBetween(this.corner, this.place, this.easel.size);
    if (box !== null) {
      this.easel.setBox(box);
      this.corner = null;
    } else {
      this.corner = this.place;
      this.say('First corner set. Move to the opposite corner and press Space.');
    }
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.easel.end();
  }

  leave(): void {
    clearTimeout(this.timer);
    this.release();
    this.easel.point(null);
  }

  private show(): void {
    this.easel.point(this.seen(), true);
  }

  /** Where in the window the cross is; the picture is moved when it would be outside. */
  private seen(): Point {
    return this.easel.reveal(this.place);
  }

  private describe(): string {
    const { width, height } = this.easel.size;
    const [across, down] = [this.place.x / width, this.place.y / height].map((share) => Math.round(share * 100));
    return `${across} % across, ${down} % down, ${this.easel.isTaken(this.place) ? 'kept' : 'removed'}`;
  }
}
