/** What the values of a plane are like as a whole. */

/** The standard deviation of all values. */
export function measureDeviation(plane: Float32Array): number {
  const mean = plane.reduce((sum, value) => sum + value, 0) / plane.length;
  return Math.sqrt(plane.reduce((sum, value) => sum + (value - mean) ** 2, 0) / plane.length);
}

/** The value below which a share of a plane's marked values lies; 0 where none is marked. */
export function quantile(plane: Float32Array, mask: ArrayLike<number>, share: number): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[Math.floor(share * (values.length - 1))] ?? 0;
}
