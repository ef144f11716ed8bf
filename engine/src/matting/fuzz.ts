// Where the outline is hair, plush or fur: there edges run in all directions, along a solid outline they run in one.
import { boxBlur } from '../pixels/planes.ts';
import type { LabPlanes } from '../pixels/lab.ts';

const WINDOW = 4; // px, in which edges must agree
const ALONG = 16; // px of outline that decide together: a corner alone is not fur
const FURRY = 0.62; // mean agreement 0..1: solid products have 0.85-1, plush 0.5-0.7
const SOLID = 0.76;

/** 0 (solid) to 1 (furry) near the mask's outline, 0 elsewhere. */
export function measureFuzz(lab: LabPlanes, mask: Uint8Array, width: number, height: number): Float32Array {
  const agreement = measureAgreement(lab, width, height);
  const outline = new Float32Array(mask.length);
  for (let i = width + 1; i < mask.length - width - 1; i += 1) {
    if (mask[i] && !(mask[i - 1] && mask[i + 1] && mask[i - width] && mask[i + width])) outline[i] = 1;
  }
  const weight = blurTwice(outline, width, height);
  const sum = blurTwice(
    outline.map((value, i) => value * agreement[i]!),
    width,
    height,
  );
  return sum.map((value, i) => {
    if (weight[i]! < 1e-5) return 0;
    return Math.min(1, Math.max(0, (SOLID - value / weight[i]!) / (SOLID - FURRY)));
  });
}

function blurTwice(plane: Float32Array, width: number, height: number): Float32Array {
  return boxBlur(boxBlur(plane, width, height, ALONG), width, height, ALONG);
}

/** Coherence of the structure tensor over all three channels: 1 where all gradients are parallel, 0 where they have no direction. */
function measureAgreement(lab: LabPlanes, width: number, height: number): Float32Array {
  const xx = new Float32Array(width * height);
  const yy = new Float32Array(width * height);
  const xy = new Float32Array(width * height);
  for (const plane of [lab.l, lab.a, lab.b]) {
    const smooth = boxBlur(plane, width, height, 1);
    for (let i = width + 1; i < smooth.length - width - 1; i += 1) {
      const dx = smooth[i + 1]! - smooth[i - 1]!;
      const dy = smooth[i + width]! - smooth[i - width]!;
      xx[i]! += dx * dx;
      yy[i]! += dy * dy;
      xy[i]! += dx * dy;
    }
  }
  const sxx = boxBlur(xx, width, height, WINDOW);
  const syy = boxBlur(yy, width, height, WINDOW);
  const sxy = boxBlur(xy, width, height, WINDOW);
  return sxx.map((value, i) => {
    const total = value + syy[i]!;
    return total < 1e-6 ? 1 : Math.hypot(value - syy[i]!, 2 * sxy[i]!) / total;
  });
}
