type Corner = readonly [x: number, y: number];

/** The convex hull of all marked pixels, filled (monotone chain). */
export function fillHull(mask: Uint8Array, width: number, height: number): Uint8Array {
  const corners = topsAndBottoms(mask, width, height);
  const out = new Uint8Array(mask.length);
  const [first, last] = [corners[0], corners.at(-1)];
  if (!first || !last) return out;
  const upper = chain(corners);
  const lower = chain(corners.toReversed()).toReversed();
  for (let x = first[0]; x <= last[0]; x += 1) {
    const [a, b] = [heightAt(upper, x), heightAt(lower, x)];
    for (let y = Math.ceil(Math.min(a, b)); y <= Math.max(a, b); y += 1) out[y * width + x] = 1;
  }
  return out;
}

function topsAndBottoms(mask: Uint8Array, width: number, height: number): Corner[] {
  const corners: Corner[] = [];
  for (let x = 0; x < width; x += 1) {
    let top = 0;
    let bottom = height - 1;
    while (top < height && !mask[top * width + x]) top += 1;
    if (top === height) continue;
    while (!mask[bottom * width + x]) bottom -= 1;
    corners.push([x, top], [x, bottom]);
  }
  return corners;
}

function chain(corners: Corner[]): Corner[] {
  const kept: Corner[] = [];
  for (const corner of corners) {
    while (kept.length > 1 && turn(kept.at(-2)!, kept.at(-1)!, corner) <= 0) kept.pop();
    kept.push(corner);
  }
  return kept;
}

function turn(a: Corner, b: Corner, c: Corner): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function heightAt(line: Corner[], x: number): number {
  for (let n = 1; n < line.length; n += 1) {
    const [from, to] = [line[n - 1]!, line[n]!];
    if (x < from[0] || x > to[0]) continue;
    if (to[0] !== from[0]) return from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0]);
  }
  return line[0]![1];
}
