import type { Product } from './product.ts';

const CLEAR_SLOPE = 0.1; // share of the mean luma, edge to edge

/** From which side the product itself was lit, when that is plain to see: then its new place is lit from there too. */
export function findLitSide({ width, height, rgb, alpha }: Product): 'left' | 'right' | undefined {
  let [count, sumX, sumL, sumXX, sumXL] = [0, 0, 0, 0, 0];
  for (let i = 0; i < width * height; i += 7) {
    if (alpha[i]! < 250) continue;
    const x = (i % width) / width - 0.5;
    const luma = 0.2126 * rgb[i * 3]! + 0.7152 * rgb[i * 3 + 1]! + 0.0722 * rgb[i * 3 + 2]!;
    count += 1;
    sumX += x;
    sumL += luma;
    sumXX += x * x;
    sumXL += x * luma;
  }
  const spread = count * sumXX - sumX * sumX;
  if (count < 50 || spread <= 0 || sumL === 0) return undefined;
  const slope = (count * sumXL - sumX * sumL) / spread / (sumL / count);
  if (Math.abs(slope) < CLEAR_SLOPE) return undefined;
  return slope > 0 ? 'right' : 'left';
}
