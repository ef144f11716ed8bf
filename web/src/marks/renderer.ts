import type { Point } from '../platform/pan-zoom.ts';
import { handlesOf } from './box.ts';
import { makeCanvas, penOf } from './canvas.ts';
import type { Loaded } from './load-picture.ts';
import type { Box, Size, Step, Stroke } from './marks.ts';

/** What lies around the product: the photo, dimmed, or squares that stand for nothing. */
export type Ground = 'photo' | 'grid';
/** Where the picture's corner lies in the window, and how large one of its pixels is there. */
export type Placed = Point & { scale: number };
export type Scene = {
  placed: Placed;
  ground: Ground;
  box: Box | null;
  strokes: readonly Stroke[];
};

const DIM = 0.74;
const CHECK_PX = 10;

export function toWindow({ scale, x, y }: Placed, point: Point): Point {
  return { x: point.x * scale + x, y: point.y * scale + y };
}

/** Draws the photo, the overlay over what is not taken, strokes and box into one canvas. */
export class Renderer {
  private readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  private readonly loaded: Loaded;
  /** Opaque where nothing is taken, after all that was painted. */
  private readonly overlay: HTMLCanvasElement;
  private readonly checks = document.createElement('canvas');
  private density = 1;

  constructor(canvas: HTMLCanvasElement, loaded: Loaded) {
    this.canvas = canvas;
    this.pen = penOf(canvas);
    this.loaded = loaded;
    this.overlay = makeCanvas(loaded.untaken);
  }

  resize({ width, height }: Size): void {
    this.density = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.checks]) {
      canvas.width = Math.max(1, Math.round(width * this.density));
      canvas.height = Math.max(1, Math.round(height * this.density));
    }
  }

  /** The overlay as these steps leave it: what is kept is uncovered, what is removed is covered. */
  paint(steps: readonly Step[]): void {
    const pen = penOf(this.overlay);
    pen.globalCompositeOperation = 'copy';
    pen.drawImage(this.loaded.untaken, 0, 0);
    for (const step of steps) {
      if (step.kind === 'box') continue;
      pen.globalCompositeOperation = step.kind === 'keep' ? 'destination-out' : 'source-over';
      tracePath(pen, step, this.overlay);
      pen.fill();
    }
  }

  isTaken({ x, y }: Point): boolean {
    return penOf(this.overlay).getImageData(x, y, 1, 1).data[3]! < 128;
  }

  draw({ placed, ground, box, strokes }: Scene): void {
    const { width, height } = this.overlay;
    const { pen } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.place(pen, placed);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(this.loaded.photo, 0, 0, width, height);
    if (ground === 'grid') this.drawChecks(placed, box);
    else this.dim(placed, box);
    for (const stroke of strokes) this.drawStroke(placed, stroke);
    if (box !== null) this.drawBox(placed, box);
  }

  private place(target: CanvasRenderingContext2D, { scale, x, y }: Placed): void {
    const size = this.density * scale;
    target.setTransform(size, 0, 0, size, this.density * x, this.density * y);
  }

  private dim(placed: Placed, box: Box | null): void {
    const target = this.cover(placed, box);
    target.globalCompositeOperation = 'source-in';
    target.fillStyle = '#0c0d0d';
    target.fillRect(0, 0, this.checks.width, this.checks.height);
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.globalAlpha = DIM;
    this.pen.drawImage(this.checks, 0, 0);
    this.pen.globalAlpha = 1;
  }

  private drawChecks(placed: Placed, box: Box | null): void {
    const target = this.cover(placed, box);
    target.globalCompositeOperation = 'source-in';
    target.fillStyle = checkPattern(target, CHECK_PX * this.density);
    target.fillRect(0, 0, this.checks.width, this.checks.height);
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.drawImage(this.checks, 0, 0);
  }

  /** The spare canvas, opaque wherever nothing is taken: by the strokes, and by the box. */
  private cover(placed: Placed, box: Box | null): CanvasRenderingContext2D {
    const { width, height } = this.overlay;
    const target = penOf(this.checks);
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.globalCompositeOperation = 'source-over';
    target.clearRect(0, 0, this.checks.width, this.checks.height);
    this.place(target, placed);
    target.drawImage(this.overlay, 0, 0);
    target.setTransform(1, 0, 0, 1, 0, 0);
    if (box === null) return target;
    // Whole pixels of the window: the picture's own edge must not shine through.
    const corner = (x: number, y: number) => {
      const at = toWindow(placed, { x, y });
      return { x: Math.round(at.x * this.density), y: Math.round(at.y * this.density) };
    };
    const [start, end] = [corner(0, 0), corner(width, height)];
    const [from, to] = [corner(box[0] * width, box[1] * height), corner(box[2] * width, box[3] * height)];
    target.fillStyle = '#000';
    target.beginPath();
    target.rect(start.x, start.y, end.x - start.x, end.y - start.y);
    target.rect(from.x, from.y, to.x - from.x, to.y - from.y);
    target.fill('evenodd');
    return target;
  }

  /** Green for what is kept; red and hatched for what is removed, so that it is not told by colour alone. */
  private drawStroke(placed: Placed, stroke: Stroke): void {
    const { pen } = this;
    this.place(pen, placed);
    tracePath(pen, stroke, this.overlay);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = stroke.kind === 'keep' ? 'rgb(18 190 110 / .34)' : hatch(pen, 8 * this.density);
    pen.fill();
  }

  private drawBox(placed: Placed, box: Box): void {
    const { width, height } = this.overlay;
    const { pen, density } = this;
    pen.setTransform(density, 0, 0, density, 0, 0);
    const from = toWindow(placed, { x: box[0] * width, y: box[1] * height });
    const to = toWindow(placed, { x: box[2] * width, y: box[3] * height });
    for (const [colour, line] of LINES) {
      pen.strokeStyle = colour;
      pen.lineWidth = line;
      pen.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y);
    }
    for (const { x, y } of handlesOf({ left: from.x, top: from.y, right: to.x, bottom: to.y })) {
      pen.fillStyle = '#0c0d0d';
      pen.fillRect(x - 7, y - 7, 14, 14);
      pen.fillStyle = '#fff';
      pen.fillRect(x - 5, y - 5, 10, 10);
    }
  }
}

const LINES = [
  ['#0c0d0d', 4],
  ['#fff', 2],
] as const;

/** The dots of a stroke on a picture of this size. */
function tracePath(pen: CanvasRenderingContext2D, { dots }: Stroke, { width, height }: Size): void {
  const longer = Math.max(width, height);
  pen.beginPath();
  for (const [x, y, radius] of dots) {
    pen.moveTo(x * width + radius * longer, y * height);
    pen.arc(x * width, y * height, radius * longer, 0, 2 * Math.PI);
  }
}

function checkPattern(target: CanvasRenderingContext2D, side: number): CanvasPattern | string {
  return pattern(target, side * 2, (tile) => {
    tile.fillStyle = '#fff';
    tile.fillRect(0, 0, side * 2, side * 2);
    tile.fillStyle = '#dededa';
    tile.fillRect(0, 0, side, side);
    tile.fillRect(side, side, side, side);
  });
}

function hatch(target: CanvasRenderingContext2D, side: number): CanvasPattern | string {
  return pattern(target, side, (tile) => {
    tile.fillStyle = 'rgb(226 58 48 / .34)';
    tile.fillRect(0, 0, side, side);
    tile.strokeStyle = 'rgb(255 255 255 / .85)';
    tile.lineWidth = side / 6;
    tile.beginPath();
    for (const shift of [-side, 0, side]) {
      tile.moveTo(shift, side);
      tile.lineTo(shift + side, 0);
    }
    tile.stroke();
  });
}

function pattern(
  target: CanvasRenderingContext2D,
  side: number,
  paint: (tile: CanvasRenderingContext2D) => void,
): CanvasPattern | string {
  const tile = makeCanvas({ width: side, height: side });
  paint(penOf(tile));
  return target.createPattern(tile, 'repeat') ?? '#888';
}
