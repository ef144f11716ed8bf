/** Replaces values, in place, by their upper (1) or lower (-1) convex hull. */
export function bulge(values: Float32Array, side: 1 | -1): void {
  const hull: number[] = [];
  const isHollow = (one: number, middle: number, other: number) =>
    side * ((values[middle]! - values[one]!) * (other - one) - (values[other]! - values[one]!) * (middle - one)) <= 0;
  for (let n = 0; n < values.length; n += 1) {
    while (hull.length > 1 && isHollow(hull.at(-2)!, hull.at(-1)!, n)) hull.pop();
    hull.push(n);
  }
  for (const [k, end] of hull.entries()) {
    const start = hull[k - 1] ?? 0;
    for (let n = start + 1; n < end; n += 1) {
      values[n] = values[start]! + ((values[end]! - values[start]!) * (n - start)) / (end - start);
    }
  }
}
