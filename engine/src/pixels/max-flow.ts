/**
 * Minimum cut of a picture's grid (Boykov and Kolmogorov 2004: two search trees that are kept between augmentations).
 */
import { makeMask, type Mask, type Size } from './plane.ts';

/** Capacities of the links between neighbours and to the two ends; all are used up while flowing. */
export type FlowGrid = Size & {
  /**
   * What a cut between a pixel and its neighbour costs: to the right, left, below, above, and, when there are eight,
   * right below, left above, left below, right above. 0 where the link would leave the picture.
   */
  links: Float32Array[];
  /** Positive: pull towards the foreground, negative: towards the background. */
  pull: Float32Array;
};

const FOREGROUND = 1;
const BACKGROUND = 2;
const NO_PARENT = -1;
const TERMINAL = 8;
const SMALLEST = 1e-5; // less capacity than this is none: float sums must not keep the search alive

/** 1 where a pixel ends on the foreground's side of the cheapest cut. */
export function cutGrid(grid: FlowGrid): Mask {
  const flow = startFlow(grid);
  for (let i = takeActive(flow); i >= 0; i = takeActive(flow)) {
    for (let bridge = grow(flow, i); bridge; bridge = grow(flow, i)) {
      augment(flow, bridge);
      adopt(flow);
    }
  }
  const out = makeMask(grid);
  for (let i = 0; i < out.data.length; i += 1) if (flow.tree[i] === FOREGROUND) out.data[i] = 1;
  return out;
}

type Flow = {
  links: Float32Array[];
  pull: Float32Array;
  /** From a pixel's index to its neighbour's; the opposite of direction d is d ^ 1. */
  steps: number[];
  tree: Uint8Array;
  /** Direction towards the parent, TERMINAL or NO_PARENT. */
  parent: Int8Array;
  queue: Int32Array;
  head: number;
  count: number;
  isQueued: Uint8Array;
  orphans: number[];
  /** When an origin was last confirmed, so that orphans need not walk to the root again. */
  seenAt: Int32Array;
  time: number;
};

function startFlow({ width, height, links, pull }: FlowGrid): Flow {
  const size = width * height;
  const flow: Flow = {
    links,
    pull,
    steps: [1, -1, width, -width, width + 1, -width - 1, width - 1, 1 - width].slice(0, links.length),
    tree: new Uint8Array(size),
    parent: new Int8Array(size).fill(NO_PARENT),
    queue: new Int32Array(size),
    head: 0,
    count: 0,
    isQueued: new Uint8Array(size),
    orphans: [],
    seenAt: new Int32Array(size),
    time: 0,
  };
  for (let i = 0; i < size; i += 1) {
    if (pull[i] === 0) continue;
    flow.tree[i] = pull[i]! > 0 ? FOREGROUND : BACKGROUND;
    flow.parent[i] = TERMINAL;
    wake(flow, i);
  }
  return flow;
}

function wake(flow: Flow, i: number): void {
  if (flow.isQueued[i]) return;
  flow.isQueued[i] = 1;
  flow.queue[(flow.head + flow.count) % flow.queue.length] = i;
  flow.count += 1;
}

function takeActive(flow: Flow): number {
  while (flow.count > 0) {
    const i = flow.queue[flow.head]!;
    flow.head = (flow.head + 1) % flow.queue.length;
    flow.count -= 1;
    flow.isQueued[i] = 0;
    if (flow.tree[i]) return i;
  }
  return -1;
}

type Bridge = {
  foreground: number;
  background: number;
  /** Direction from the foreground's side to the background's. */
  direction: number;
};

/** Lets pixel i claim its free neighbours; returns the link over which the two trees meet. */
function grow(flow: Flow, i: number): Bridge | undefined {
  const side = flow.tree[i]!;
  for (let d = 0; d < flow.steps.length && side > 0; d += 1) {
    const j = neighbour(flow, i, d);
    if (j < 0 || residual(flow, i, j, d, side) <= SMALLEST) continue;
    if (flow.tree[j] === 0) {
      flow.tree[j] = side;
      flow.parent[j] = d ^ 1;
      wake(flow, j);
    } else if (flow.tree[j] !== side) {
      return side === FOREGROUND
        ? { foreground: i, background: j, direction: d }
        : { foreground: j, background: i, direction: d ^ 1 };
    }
  }
  return undefined;
}

function neighbour(flow: Flow, i: number, d: number): number {
  const j = i + flow.steps[d]!;
  return j < flow.tree.length ? j : -1; // links round the end of a row are 0
}

/** What may still flow from the tree of i to j: outwards in the foreground's tree, inwards in the background's. */
function residual(flow: Flow, i: number, j: number, d: number, side: number): number {
  return side === FOREGROUND ? flow.links[d]![i]! : flow.links[d ^ 1]![j]!;
}

function augment(flow: Flow, { foreground, background, direction }: Bridge): void {
  let least = flow.links[direction]![foreground]!;
  let root = foreground;
  for (; flow.parent[root] !== TERMINAL; root += flow.steps[flow.parent[root]!]!) {
    const d = flow.parent[root]!;
    least = Math.min(least, flow.links[d ^ 1]![root + flow.steps[d]!]!);
  }
  least = Math.min(least, flow.pull[root]!);
  for (root = background; flow.parent[root] !== TERMINAL; root += flow.steps[flow.parent[root]!]!) {
    least = Math.min(least, flow.links[flow.parent[root]!]![root]!);
  }
  least = Math.min(least, -flow.pull[root]!);
  push(flow, direction, foreground, least);
  drain(flow, foreground, least, FOREGROUND);
  drain(flow, background, least, BACKGROUND);
}

function push(flow: Flow, d: number, from: number, amount: number): void {
  flow.links[d]![from]! -= amount;
  flow.links[d ^ 1]![from + flow.steps[d]!]! += amount;
}

/** Sends the amount along the tree between its root and i; links that fill up orphan the pixels behind them. */
function drain(flow: Flow, from: number, amount: number, side: number): void {
  let i = from;
  for (; flow.parent[i] !== TERMINAL;) {
    const d = flow.parent[i]!;
    const up = i + flow.steps[d]!;
    if (side === FOREGROUND) push(flow, d ^ 1, up, amount);
    else push(flow, d, i, amount);
    const left = side === FOREGROUND ? flow.links[d ^ 1]![up]! : flow.links[d]![i]!;
    if (left <= SMALLEST) orphan(flow, i);
    i = up;
  }
  flow.pull[i]! += side === FOREGROUND ? -amount : amount;
  if (Math.abs(flow.pull[i]!) <= SMALLEST) orphan(flow, i);
}

function orphan(flow: Flow, i: number): void {
  flow.parent[i] = NO_PARENT;
  flow.orphans.push(i);
}

function adopt(flow: Flow): void {
  flow.time += 1;
  for (let n = 0; n < flow.orphans.length; n += 1) {
    const i = flow.orphans[n]!;
    if (!findParent(flow, i)) setFree(flow, i);
  }
  flow.orphans.length = 0;
}

function findParent(flow: Flow, i: number): boolean {
  const side = flow.tree[i]!;
  for (let d = 0; d < flow.steps.length; d += 1) {
    const j = neighbour(flow, i, d);
    if (j < 0 || flow.tree[j] !== side || residual(flow, j, i, d ^ 1, side) <= SMALLEST) continue;
    if (!isRooted(flow, j)) continue;
    flow.parent[i] = d;
    return true;
  }
  return false;
}

function isRooted(flow: Flow, start: number): boolean {
  let i = start;
  while (flow.parent[i] !== TERMINAL && flow.seenAt[i] !== flow.time) {
    if (flow.parent[i] === NO_PARENT) return false;
    i += flow.steps[flow.parent[i]!]!;
  }
  const end = i;
  for (i = start; i !== end; i += flow.steps[flow.parent[i]!]!) flow.seenAt[i] = flow.time;
  flow.seenAt[end] = flow.time;
  return true;
}

function setFree(flow: Flow, i: number): void {
  const side = flow.tree[i]!;
  for (let d = 0; d < flow.steps.length; d += 1) {
    const j = neighbour(flow, i, d);
    if (j < 0 || flow.tree[j] !== side) continue;
    if (residual(flow, j, i, d ^ 1, side) > SMALLEST) wake(flow, j);
    if (flow.parent[j] === (d ^ 1)) orphan(flow, j);
  }
  flow.tree[i] = 0;
}
