/** Minimum barrier distance from the border (raster-scan approximation): range of values met on the best way in. */
export function measureBarrier(plane: Float32Array, width: number, height: number): Float32Array {
  const highest = plane.slice();
  const lowest = plane.slice();
  const barrier = new Float32Array(plane.length);
  for (let i = 0; i < plane.length; i += 1) {
    const x = i % width;
    const y = (i - x) / width;
    const isBorder = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    barrier[i] = isBorder ? 0 : Infinity;
  }
  const visit = (i: number, from: number) => {
    if (barrier[from] === Infinity) return;
    const high = Math.max(highest[from]!, plane[i]!);
    const low = Math.min(lowest[from]!, plane[i]!);
    if (high - low >= barrier[i]!) return;
    barrier[i] = high - low;
    highest[i] = high;
    lowest[i] = low;
  };
  for (let pass = 0; pass < 2; pass += 1) {
    for (let i = width + 1; i < plane.length; i += 1) {
      if (i % width === 0) continue;
      visit(i, i - 1);
      visit(i, i - width);
    }
    for (let i = plane.length - width - 2; i >= 0; i -= 1) {
      if (i % width === width - 1) continue;
      visit(i, i + 1);
      visit(i, i + width);
    }
  }
  return barrier;
}
