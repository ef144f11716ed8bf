import type { MarkCanvas } from './mark-canvas.ts';
import { Fingers, readWheel, type Pinch, type Point } from '../platform/pan-zoom.ts';

const MOUSE_REACH_PX = 12;
const FINGER_REACH_PX = 24;
/** A wheel that turns by this many pixels doubles the size. */
const DOUBLING_PX = 320;

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
  private readonly fingers = new Fingers();
  private isPinching = false;
  private isPanning = false;

  constructor(markCanvas: MarkCanvas, host: HTMLElement) {
    this.markCanvas = markCanvas;
    this.host = host;
  }

  down(event: PointerEvent): void {
    const at = this.place(event);
    if (event.button === 1) {
      event.preventDefault();
      this.isPanning = true;
    } else if (event.button !== 0) return;
    this.host.setPointerCapture(event.pointerId);
    this.fingers.down(event.pointerId, at);
    if (this.isPanning) return;
    if (this.fingers.count === 1) return this.touch(event, at);
    // A second finger: the first one did not mean to paint.
    this.markCanvas.cancel();
    this.markCanvas.point(null);
    this.isPinching = true;
  }

  private touch(event: PointerEvent, at: Point): void {
    this.markCanvas.point(at);
    this.markCanvas.begin(at, event.pointerType === 'mouse' ? MOUSE_REACH_PX : FINGER_REACH_PX);
  }

  move(event: PointerEvent): void {
    const at = this.place(event);
    const moved = this.fingers.move(event.pointerId, at);
    if (this.isPanning) {
      if (moved) this.markCanvas.pan(moved.by.x, moved.by.y);
    } else if (this.isPinching) {
      if (moved?.pinch) this.follow(moved.pinch);
    } else {
      this.markCanvas.point(at);
      if (moved) this.paintAlong(event);
    }
  }

  /** A quick hand is sampled more often than the window is drawn. */
  private paintAlong(event: PointerEvent): void {
    const samples = event.getCoalescedEvents?.() ?? [];
    for (const sample of samples.length > 0 ? samples : [event]) this.markCanvas.moveTo(this.place(sample));
  }

  private follow({ grown, middle, by }: Pinch): void {
    this.markCanvas.zoom(grown, middle);
    this.markCanvas.pan(by.x, by.y);
  }

  up(event: PointerEvent): void {
    if (!this.fingers.up(event.pointerId)) return;
    if (this.isPanning) this.isPanning = false;
    else if (!this.isPinching) this.markCanvas.end();
    // The finger that stays after a pinch does not paint either.
    if (this.fingers.count === 0) this.isPinching = false;
    if (event.pointerType !== 'mouse') this.markCanvas.point(null);
  }

  leave(event: PointerEvent): void {
    this.fingers.up(event.pointerId);
    this.isPanning = false;
    if (!this.isPinching) this.markCanvas.cancel();
    if (this.fingers.count === 0) this.isPinching = false;
    this.markCanvas.point(null);
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x: right, y: down } = readWheel(event);
    // A pinch on a touchpad comes as a wheel with Ctrl.
    if (event.ctrlKey || event.metaKey) this.markCanvas.zoom(2 ** (-down / DOUBLING_PX), this.place(event));
    else if (event.altKey) {
      this.markCanvas.stepBrush(down + right < 0 ? 1 : -1);
      this.markCanvas.point(this.place(event));
    } else if (event.shiftKey) this.markCanvas.pan(-(right || down), 0);
    else this.markCanvas.pan(-right, -down);
  }

  private place({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.host.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }
}
