import { type CDPSession, expect } from '@playwright/test';

type Point = readonly [x: number, y: number];
/** Start and end of each finger, in window pixels. */
export type Fingers = readonly { from: Point; to: Point }[];

const STEPS = 8;

/** Dispatches the touch events of these moving fingers. */
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

/** Retries the move until the page follows. The browser cancels a touch while the page is busy. */
export async function moveUntil(screen: CDPSession, fingers: Fingers, follow: () => Promise<void>) {
  await expect(async () => {
    await move(screen, fingers);
    await follow();
  }).toPass();
}
