import type { Point } from '../platform/pan-zoom.ts';
import { handlesOf } from './box.ts';
import { DARK, makeCanvas, penOf } from './canvas.ts';
import type { Loaded } from './load-picture.ts';
import type { Box, Size, Step, Stroke } from './marks.ts';

/** Where the picture's corner lies in the window, and how large one of its pixels is there. */
export type Placed = Point & { scale: number };
export type Scene = {
  placed: Placed;
  box: Box | null;
  strokes: readonly Stroke[];
};

const DIM = 0.74;

export function toWindow({ scale, x, y }: Placed, point: Point): Point {
  return { x: point.x * scale + x, y: point.y * scale + y };
}

/** Draws the photo, the overlay over what is not taken, strokes and box into one canvas. */
export class Renderer {
  private readonly canvas: HTMLCanvasElement;
  private readonly pen: CanvasRenderingContext2D;
  private readonly loaded: Loaded;
  /** Dark where nothing is taken, after all that was painted. */
  private readonly overlay: HTMLCanvasElement;
  private density = 1;

  constructor(canvas: HTMLCanvasElement, loaded: Loaded) {
    this.canvas = canvas;
    this.pen = penOf(canvas);
    this.loaded = loaded;
    this.overlay = makeCanvas(loaded.untaken);
  }

  resize({ width, height }: Size): void {
    this.density = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = Math.max(1, Math.round(width * this.density));
    this.canvas.height = Math.max(1, Math.round(height * this.density));
  }

  /** The overlay as these steps leave it: what is kept is uncovered, what is removed or outside the box is covered. */
  paint(steps: readonly Step[], box: Box | null): void {
    const { width, height } = this.overlay;
    const pen = penOf(this.overlay);
    pen.fillStyle = DARK;
    pen.globalCompositeOperation = 'copy';
    pen.drawImage(this.loaded.untaken, 0, 0);
    for (const step of steps) {
      if (step.kind === 'box') continue;
      pen.globalCompositeOperation = step.kind === 'keep' ? 'destination-out' : 'source-over';
      tracePath(pen, step, this.overlay);
      pen.fill();
    }
    if (box === null) return;
    const [left, top, right, bottom] = box;
    pen.globalCompositeOperation = 'source-over';
    pen.beginPath();
    pen.rect(0, 0, width, height);
    pen.rect(left * width, top * height, (right - left) * width, (bottom - top) * height);
    pen.fill('evenodd');
  }

  isTaken({ x, y }: Point): boolean {
    return penOf(this.overlay).getImageData(x, y, 1, 1).data[3]! < 128;
  }

  draw({ placed, box, strokes }: Scene): void {
    const { width, height } = this.overlay;
    const { pen } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.place(placed);
    pen.imageSmoothingQuality = 'high';
    pen.drawImage(this.loaded.photo, 0, 0, width, height);
    pen.globalAlpha = DIM;
    pen.drawImage(this.overlay, 0, 0, width, height);
    pen.globalAlpha = 1;
    for (const stroke of strokes) this.drawStroke(placed, stroke);
    if (box !== null) this.drawBox(placed, box);
  }

  private place({ scale, x, y }: Placed): void {
    const size = this.density * scale;
    this.pen.setTransform(size, 0, 0, size, this.density * x, this.density * y);
  }

  /** Green for what is kept; red and hatched for what is removed, so that it is not told by colour alone. */
  private drawStroke(placed: Placed, stroke: Stroke): void {
    const { pen } = this;
    this.place(placed);
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
      pen.fillStyle = DARK;
      pen.fillRect(x - 7, y - 7, 14, 14);
      pen.fillStyle = '#fff';
      pen.fillRect(x - 5, y - 5, 10, 10);
    }
  }
}

const LINES = [
  [DARK, 4],
  ['#fff', 2],
] as const;

function tracePath(pen: CanvasRenderingContext2D, { dots }: Stroke, { width, height }: Size): void {
  const longer = Math.max(width, height);
  pen.beginPath();
  for (const [x, y, radius] of dots) {
    pen.moveTo(x * width + radius * longer, y * height);
    pen.arc(x * width, y * height, radius * longer, 0, 2 * Math.PI);
  }
}

function hatch(target: CanvasRenderingContext2D, side: number): CanvasPattern | string {
  const canvas = makeCanvas({ width: side, height: side });
  const tile = penOf(canvas);
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
  return target.createPattern(canvas, 'repeat') ?? '#888';
}
