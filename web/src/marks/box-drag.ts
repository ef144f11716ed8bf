import type { Point } from '../platform/pan-zoom.ts';
import { boxBetween, dragBox, findGrip, type Grip } from './box.ts';
import type { Box, Size } from './marks.ts';

/** One drag with the box tool: it takes a grip of the box along, or draws a new box beside it. */
export class BoxDrag {
  private readonly picture: Size;
  private readonly before: Box | null;
  private readonly start: Point;
  private readonly grip: Grip | null;
  box: Box | null;

  /** Places and `reach` in pixels of the picture. */
  constructor(picture: Size, box: Box | null, start: Point, reach: number) {
    this.picture = picture;
    this.before = this.box = box;
    this.start = start;
    this.grip = box && findGrip(inPixels(box, picture), start, reach);
  }

  moveTo(place: Point): void {
    const { before, grip, start, picture } = this;
    if (before === null || grip === null) {
      this.box = boxBetween(start, place, picture) ?? before;
      return;
    }
    this.box = dragBox(before, grip, (place.x - start.x) / picture.width, (place.y - start.y) / picture.height);
  }
}

function inPixels([left, top, right, bottom]: Box, { width, height }: Size) {
  return { left: left * width, top: top * height, right: right * width, bottom: bottom * height };
}
