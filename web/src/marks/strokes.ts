import type { Point } from '../platform/pan-zoom.ts';
import type { Box, Brush, Dot, Size, Step, Stroke } from './marks.ts';

/** Of the brush's radius: how far its dots lie apart. */
const SPACING = 0.3;

/** What was done to a picture, step by step, and what of it was taken back. Places and radii in pixels of it. */
export class Strokes {
  private readonly picture: Size;
  private readonly done: Step[];
  private undone: Step[] = [];
  private open: (Stroke & { dots: Dot[]; last: Point }) | null = null;

  constructor(picture: Size, earlier: readonly Step[] = []) {
    this.picture = picture;
    this.done = [...earlier];
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }
  get steps(): Step[] {
    return [...this.done];
  }
  get current(): Stroke | null {
    return this.open;
  }
  get box(): Box | null {
    return this.done.findLast((step) => step.kind === 'box')?.box ?? null;
  }

  begin(kind: Brush, at: Point, radius: number): void {
    this.open = { kind, dots: [], last: at };
    this.dab(at, radius);
  }

  moveTo(at: Point, radius: number): void {
    if (this.open === null) return;
    const { last } = this.open;
    const spacing = Math.max(1, radius * SPACING);
    const count = Math.floor(Math.hypot(at.x - last.x, at.y - last.y) / spacing);
    for (let step = 1; step <= count; step += 1) {
      const share = step / count;
      this.dab({ x: last.x + (at.x - last.x) * share, y: last.y + (at.y - last.y) * share }, radius);
    }
  }

  end(): Step | null {
    const { open } = this;
    this.open = null;
    return open === null || open.dots.length === 0 ? null : this.add({ kind: open.kind, dots: open.dots });
  }

  cancel(): void {
    this.open = null;
  }

  setBox(box: Box): Step {
    return this.add({ kind: 'box', box });
  }

  undo(): Step | null {
    return move(this.done, this.undone);
  }

  redo(): Step | null {
    return move(this.undone, this.done);
  }

  private add(step: Step): Step {
    this.done.push(step);
    this.undone = [];
    return step;
  }

  private dab(at: Point, radius: number): void {
    if (this.open === null) return;
    this.open.last = at;
    const { width, height } = this.picture;
    if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return;
    this.open.dots.push([at.x / width, at.y / height, radius / Math.max(width, height)]);
  }
}

function move(from: Step[], to: Step[]): Step | null {
  const step = from.pop() ?? null;
  if (step !== null) to.push(step);
  return step;
}
