import { type CDPSession, expect } from '@playwright/test';

type Point = readonly [x: number, y: number];
/** Where each finger begins and ends, in pixels of the window. */
export type Fingers = readonly { from: Point; to: Point }[];

const STEPS = 8;

/** Fingers that go from one place each to another, as a touch screen tells of them. */
async function move(screen: CDPSession, fingers: Fingers): Promise<void> {
  const at = (share: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from[0] + (to[0] - from[0]) * share,
      y: from[1] + (to[1] - from[1]) * share,
    }));
  await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= STEPS; step += 1)
    await screen.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / STEPS) });
  await screen.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Moves until the page followed: the browser takes a touch back from a page that is busy for a moment. */
export async function moveUntil(screen: CDPSession, fingers: Fingers, follow: () => Promise<void>) {
  await expect(async () => {
    await move(screen, fingers);
    await follow();
  }).toPass();
}
