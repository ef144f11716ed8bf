import type { CDPSession, Page } from '@playwright/test';
import { ENGINE_MS, expect, test } from '../support/journey.ts';
import { makeSeller, startGeneration } from '../support/makers.ts';
import { samplePhoto } from '../support/pictures.ts';

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

type Point = readonly [x: number, y: number];
const STEPS = 8;
const print = (page: Page) => page.getByRole('dialog').getByRole('img', { name: /^Result: / });

/** Fingers that go from one place each to another, as a touch screen tells of them. */
async function move(screen: CDPSession, fingers: { from: Point; to: Point }[]): Promise<void> {
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
async function moveUntil(screen: CDPSession, fingers: { from: Point; to: Point }[], follow: () => Promise<void>) {
  await expect(async () => {
    await move(screen, fingers);
    await follow();
  }).toPass();
}

test('two fingers make a result larger, one moves it, and a swipe leads to the next', async ({ page }) => {
  await makeSeller(page, 'basic');
  for (const sample of ['mug', 'teddy']) await startGeneration(page, 'remover', { image: samplePhoto(sample) });
  await page.goto('/dashboard/history');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.locator('.print.waiting')).toHaveCount(0, { timeout: 2 * ENGINE_MS });
  await page.goto('/dashboard/history');
  await cards.first().getByRole('link').first().tap();
  await expect(print(page)).toBeVisible();
  const first = page.url();
  const screen = await page.context().newCDPSession(page);
  const readBox = async () => (await print(page).boundingBox())!;

  const before = await readBox();
  const { x, y } = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
  const expectWidth = async (least: number, most: number) => {
    const isWithin = async () => {
      const { width } = await readBox();
      return width > least && width < most;
    };
    await expect.poll(isWithin, { timeout: 2000 }).toBe(true);
  };

  const apart = [
    { from: [x - 40, y], to: [x - 140, y] },
    { from: [x + 40, y], to: [x + 140, y] },
  ] satisfies { from: Point; to: Point }[];
  await moveUntil(screen, apart, () => expectWidth(before.width * 2, Infinity));
  const large = await readBox();
  await moveUntil(screen, [{ from: [x, y], to: [x - 80, y - 20] }], () =>
    expect.poll(async () => (await readBox()).x, { timeout: 2000 }).toBeLessThan(large.x - 40),
  );
  expect(page.url()).toBe(first);

  const together = apart.map(({ from, to }) => ({ from: to, to: from }));
  await moveUntil(screen, together, () => expectWidth(0, before.width * 1.1));
  await moveUntil(screen, [{ from: [320, y], to: [60, y] }], () =>
    expect(page).not.toHaveURL(first, { timeout: 2000 }),
  );
  await expect(print(page)).toBeVisible();
  await moveUntil(screen, [{ from: [60, y], to: [320, y] }], () => expect(page).toHaveURL(first, { timeout: 2000 }));
});
