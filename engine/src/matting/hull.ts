type Corner = readonly [x: number, y: number];

/** The convex hull of all marked pixels, filled: its upper and its lower edge are chains of their own (monotone chain). */
export function fillHull(mask: Uint8Array, width: number, height: number): Uint8Array {
  const tops: Corner[] = [];
  const bottoms: Corner[] = [];
  for (let x = 0; x < width; x += 1) {
    let top = 0;
    let bottom = height - 1;
    while (top < height && !mask[top * width + x]) top += 1;
    if (top === height) continue;
    while (!mask[bottom * width + x]) bottom -= 1;
    tops.push([x, top]);
    bottoms.push([x, bottom]);
  }
  const upper = bend(tops, 1);
  const lower = bend(bottoms, -1);
  const out = new Uint8Array(mask.length);
  for (let x = tops[0]?.[0] ?? 0; x <= (tops.at(-1)?.[0] ?? -1); x += 1) {
    for (let y = Math.ceil(heightAt(upper, x)); y <= heightAt(lower, x); y += 1) out[y * width + x] = 1;
  }
  return out;
}

/** Leaves out the corners that lie inside; `side` is 1 for an edge that bends downwards at its ends, -1 for the other. */
function bend(corners: Corner[], side: 1 | -1): Corner[] {
  const kept: Corner[] = [];
  for (const corner of corners) {
    while (kept.length > 1 && side * turn(kept.at(-2)!, kept.at(-1)!, corner) <= 0) kept.pop();
    kept.push(corner);
  }
  return kept;
}

function turn(a: Corner, b: Corner, c: Corner): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

function heightAt(edge: Corner[], x: number): number {
  for (let n = 1; n < edge.length; n += 1) {
    const [from, to] = [edge[n - 1]!, edge[n]!];
    if (x <= to[0]) return from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0]);
  }
  return edge[0]?.[1] ?? NaN;
}
