import type { MarkCanvas } from './mark-canvas.ts';
import type { Point } from './view.ts';

/** How near a handle of the box counts, in pixels of the window. */
const MOUSE_REACH_PX = 12;
const FINGER_REACH_PX = 24;
/** A wheel that turns by this many pixels doubles the size. */
const DOUBLING_PX = 320;

type Pinch = { distance: number; middle: Point };

/** Mouse, pen and fingers: one paints, two move and zoom. Returns what ends it. */
export function listenToPointers(markCanvas: MarkCanvas, host: HTMLElement): () => void {
  const hand = new Hand(markCanvas, host);
  const handlers: Partial<{ [Name in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Name]) => void }> = {
    pointerdown: (event) => hand.down(event),
    pointermove: (event) => hand.move(event),
    pointerup: (event) => hand.up(event),
    pointercancel: (event) => hand.leave(event),
    pointerleave: (event) => event.pointerType === 'mouse' && markCanvas.point(null),
    contextmenu: (event) => event.preventDefault(),
  };
  const ending = new AbortController();
  for (const [name, handler] of Object.entries(handlers)) {
    host.addEventListener(name, handler as EventListener, { signal: ending.signal });
  }
  // Not passive: the page itself must not zoom or scroll.
  host.addEventListener('wheel', (event) => hand.wheel(event), { signal: ending.signal, passive: false });
  return () => ending.abort();
}

class Hand {
  private readonly markCanvas: MarkCanvas;
  private readonly host: HTMLElement;
  private readonly touching = new Map<number, Point>();
  private pinch: Pinch | null = null;
  private panFrom: Point | null = null;

  constructor(markCanvas: MarkCanvas, host: HTMLElement) {
    this.markCanvas = markCanvas;
    this.host = host;
  }

  down(event: PointerEvent): void {
    const at = this.place(event);
    if (event.button === 1) {
      event.preventDefault();
      this.panFrom = at;
    } else if (event.button !== 0) return;
    this.host.setPointerCapture(event.pointerId);
    this.touching.set(event.pointerId, at);
    if (this.panFrom !== null) return;
    if (this.touching.size === 1) return this.touch(event, at);
    // A second finger: the first one did not mean to paint.
    this.markCanvas.cancel();
    this.markCanvas.point(null);
    this.pinch = this.measure();
  }

  private touch(event: PointerEvent, at: Point): void {
    this.markCanvas.point(at);
    this.markCanvas.begin(at, event.pointerType === 'mouse' ? MOUSE_REACH_PX : FINGER_REACH_PX);
  }

  move(event: PointerEvent): void {
    const at = this.place(event);
    if (this.touching.has(event.pointerId)) this.touching.set(event.pointerId, at);
    if (this.panFrom !== null) {
      this.markCanvas.pan(at.x - this.panFrom.x, at.y - this.panFrom.y);
      this.panFrom = at;
    } else if (this.pinch !== null) this.follow(this.pinch);
    else {
      this.markCanvas.point(at);
      if (this.touching.has(event.pointerId)) this.paintAlong(event);
    }
  }

  /** A quick hand is sampled more often than the window is drawn. */
  private paintAlong(event: PointerEvent): void {
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const sample of samples.length > 0 ? samples : [event]) this.markCanvas.moveTo(this.place(sample));
  }

  private follow(before: Pinch): void {
    const now = this.measure();
    if (now === null) return;
    this.markCanvas.zoom(now.distance / before.distance, now.middle);
    this.markCanvas.pan(now.middle.x - before.middle.x, now.middle.y - before.middle.y);
    this.pinch = now;
  }

  up(event: PointerEvent): void {
    if (!this.touching.delete(event.pointerId)) return;
    if (this.panFrom !== null) this.panFrom = null;
    else if (this.pinch === null) this.markCanvas.end();
    // The finger that stays after a pinch does not paint either.
    if (this.touching.size === 0) this.pinch = null;
    if (event.pointerType !== 'mouse') this.markCanvas.point(null);
  }

  leave(event: PointerEvent): void {
    this.touching.delete(event.pointerId);
    this.panFrom = null;
    if (this.pinch === null) this.markCanvas.cancel();
    if (this.touching.size === 0) this.pinch = null;
    this.markCanvas.point(null);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const turn = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const [right, down] = [event.deltaX * turn, event.deltaY * turn];
    // A pinch on a touchpad comes as a wheel with Ctrl.
    if (event.ctrlKey || event.metaKey) this.markCanvas.zoom(2 ** (-down / DOUBLING_PX), this.place(event));
    else if (event.altKey) {
      this.markCanvas.stepBrush(down + right < 0 ? 1 : -1);
      this.markCanvas.point(this.place(event));
    } else if (event.shiftKey) this.markCanvas.pan(-(right || down), 0);
    else this.markCanvas.pan(-right, -down);
  }

  private measure(): Pinch | null {
    const [one, other] = [...this.touching.values()];
    if (one === undefined || other === undefined) return null;
    return {
      distance: Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)),
      middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    };
  }

  private place({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}
