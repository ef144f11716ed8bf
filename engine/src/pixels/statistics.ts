/** What the marked values of a plane are like as a whole. */

/** Mean and standard deviation of a plane's marked values; 0 where none is marked. */
export function describePlane(plane: Float32Array, mask: Uint8Array): { mean: number; deviation: number } {
  const values = plane.filter((_, i) => mask[i]);
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, deviation: Math.sqrt(variance) };
}

/** The value below which a share of a plane's marked values lies; 0 where none is marked. */
export function quantile(plane: Float32Array, mask: ArrayLike<number>, share: number): number {
  const values = plane.filter((_, i) => mask[i]).sort();
  return values[Math.floor(share * (values.length - 1))] ?? 0;
}
