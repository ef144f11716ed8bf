import type { Point } from '../platform/pan-zoom.ts';
import { joinAreas, paintDab, type Area, type Painting } from './live-edge.ts';
import type { Box, Brush, Dot, Step } from './marks.ts';

type Done = { step: Step; patch: Patch | null };
type Patch = { area: Area; before: Uint8ClampedArray; after: Uint8ClampedArray };
type Open = { brush: Brush; dots: Dot[]; before: Uint8ClampedArray; area: Area | null; last: Point };

const SPACING = 0.3;

export class Strokes {
  readonly painting: Painting;
  private done: Done[] = [];
  private undone: Done[] = [];
  private open: Open | null = null;

  constructor(painting: Painting, earlier: readonly Step[] = []) {
    this.painting = painting;
    for (const step of earlier) this.replay(step);
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }
  get steps(): Step[] {
    return this.done.map(({ step }) => step);
  }
  get current(): { kind: Brush; dots: readonly Dot[] } | null {
    return this.open && { kind: this.open.brush, dots: this.open.dots };
  }
  get box(): Box | null {
    return this.steps.findLast((step) => step.kind === 'box')?.box ?? null;
  }

  /** Puts the brush down. Places and radius in pixels of the painting; returns what changed. */
  begin(brush: Brush, at: Point, radius: number): Area | null {
    this.open = { brush, dots: [], before: this.painting.alpha.slice(), area: null, last: at };
    return this.dab(at, radius);
  }

  moveTo(at: Point, radius: number): Area | null {
    if (this.open === null) return null;
    const { last } = this.open;
    const spacing = Math.max(1, radius * SPACING);
    const count = Math.floor(Math.hypot(at.x - last.x, at.y - last.y) / spacing);
    let changed: Area | null = null;
    for (let step = 1; step <= count; step += 1) {
      const share = step / count;
      const place = { x: last.x + (at.x - last.x) * share, y: last.y + (at.y - last.y) * share };
      changed = joinAreas(changed, this.dab(place, radius));
    }
    return changed;
  }

  end(): void {
    if (this.open === null) return;
    const { brush, dots, before, area } = this.open;
    this.open = null;
    if (dots.length === 0) return;
    const patch = area && {
      area,
      before: crop(before, area, this.painting),
      after: crop(this.painting.alpha, area, this.painting),
    };
    this.push({ step: { kind: brush, dots }, patch });
  }

  cancel(): Area | null {
    if (this.open === null) return null;
    const { before, area } = this.open;
    this.painting.alpha.set(before);
    this.open = null;
    return area;
  }

  setBox(box: Box): void {
    this.push({ step: { kind: 'box', box }, patch: null });
  }

  undo(): { step: Step; area: Area | null } | null {
    const last = this.done.pop();
    if (last === undefined) return null;
    this.undone.push(last);
    return { step: last.step, area: this.put(last.patch, 'before') };
  }

  redo(): { step: Step; area: Area | null } | null {
    const next = this.undone.pop();
    if (next === undefined) return null;
    this.done.push(next);
    return { step: next.step, area: this.put(next.patch, 'after') };
  }

  private push(done: Done): void {
    this.done.push(done);
    this.undone = [];
  }

  private dab(at: Point, radius: number): Area | null {
    if (this.open === null) return null;
    this.open.last = at;
    const { width, height } = this.painting;
    if (at.x < 0 || at.y < 0 || at.x > width || at.y > height) return null;
    this.open.dots.push([at.x / width, at.y / height, radius / Math.max(width, height)]);
    const changed = paintDab(this.painting, this.open.brush, at.x, at.y, radius);
    this.open.area = joinAreas(this.open.area, changed);
    return changed;
  }

  private replay(step: Step): void {
    if (step.kind === 'box') return this.setBox(step.box);
    const { width, height } = this.painting;
    step.dots.forEach(([x, y, radius], index) => {
      const at = { x: x * width, y: y * height };
      if (index === 0) this.begin(step.kind, at, radius * Math.max(width, height));
      else this.dab(at, radius * Math.max(width, height));
    });
    this.end();
  }

  private put(patch: Patch | null, when: 'before' | 'after'): Area | null {
    if (patch === null) return null;
    const { left, top, right, bottom } = patch.area;
    const columns = right - left;
    for (let row = top; row < bottom; row += 1) {
      const from = (row - top) * columns;
      this.painting.alpha.set(patch[when].subarray(from, from + columns), row * this.painting.width + left);
    }
    return patch.area;
  }
}

function crop(alpha: Uint8ClampedArray, { left, top, right, bottom }: Area, { width }: Painting): Uint8ClampedArray {
  const columns = right - left;
  const cropped = new Uint8ClampedArray(columns * (bottom - top));
  for (let row = top; row < bottom; row += 1) {
    cropped.set(alpha.subarray(row * width + left, row * width + right), (row - top) * columns);
  }
  return cropped;
}
