/** Sprites: a shape, its position, and its colour. */
import type { Canvas } from './canvas.ts';

/** Depth of a point inside the shape in radii, negative outside; u runs along the shape, v across, both -1..1. */
export type Shape = (u: number, v: number) => number;

export type Sprite = {
  /** Centre in frame pixels. */
  x: number;
  y: number;
  radius: number;
  /** Direction of u in radians. */
  angle: number;
  /** 0..1: visible share of its width as it tumbles. */
  tumble: number;
  /** Limited-range Y'CbCr. */
  colour: readonly [number, number, number];
  /** 0..1. */
  opacity: number;
  /** Width of the soft edge in pixels. */
  softness: number;
};

export const shapes = {
  disc: (u, v) => 1 - Math.hypot(u, v),
  petal: (u, v) => {
    const tip = Math.abs(u);
    return tip > 1 ? 1 - tip - Math.abs(v) : 0.62 * Math.sqrt(1 - u * u) * (1 - 0.4 * u) - Math.abs(v);
  },
  leaf: (u, v) => 0.5 * (1 - u * u) * (1 - 0.25 * u) - Math.abs(v - 0.12 * u * u),
  paper: (u, v) => Math.min(0.9 - Math.abs(u), 0.55 - Math.abs(v)),
  streak: (u, v) => {
    if (Math.abs(u) > 1.4) return -1; // both factors would be negative
    return Math.min(1 - Math.abs(u), 0.05 - Math.abs(v)) * (1 - 0.7 * Math.abs(u));
  },
  star: (u, v) => {
    const across = Math.abs(u) * Math.abs(v);
    const out = Math.max(Math.abs(u), Math.abs(v));
    return (out < 1 ? (1 - out) ** 2 / (1 + 180 * across) : 0) - 0.5;
  },
} satisfies Record<string, Shape>;

/** Draws a sprite on the canvas, clipped to the frame. */
export function drawSprite(canvas: Canvas, sprite: Sprite, shape: Shape): void {
  if (sprite.opacity <= 0) return;
  const [y, u, v] = sprite.colour;
  stamp(canvas, 'y', sprite, shape, 1, y);
  stamp(canvas, 'u', sprite, shape, 2, u);
  stamp(canvas, 'v', sprite, shape, 2, v);
}

function stamp(canvas: Canvas, name: 'y' | 'u' | 'v', sprite: Sprite, shape: Shape, step: number, value: number): void {
  const plane = canvas[name];
  const [width, height] = [canvas.width / step, canvas.height / step];
  const { x, y, radius, angle, tumble, opacity, softness } = sprite;
  const cx = (x - (step - 1) / 2) / step;
  const cy = (y - (step - 1) / 2) / step;
  const reach = (radius + softness) / step + 1;
  const along = Math.cos(angle) * (step / radius);
  const aside = Math.sin(angle) * (step / radius);
  const narrow = 1 / Math.max(0.15, tumble);
  const edge = Math.max(0.02, softness / radius);
  for (let row = Math.max(0, Math.ceil(cy - reach)); row <= Math.min(height - 1, cy + reach); row += 1) {
    for (let column = Math.max(0, Math.ceil(cx - reach)); column <= Math.min(width - 1, cx + reach); column += 1) {
      const dx = column - cx;
      const dy = row - cy;
      const inside = shape(dx * along + dy * aside, (dy * along - dx * aside) * narrow) / edge + 0.5;
      if (inside <= 0) continue;
      const coverage = inside > 1 ? 1 : inside;
      const at = row * width + column;
      plane[at] = plane[at]! + coverage * opacity * (value - plane[at]!);
    }
  }
}
