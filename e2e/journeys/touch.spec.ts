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
  await move(screen, [
    { from: [x - 40, y], to: [x - 140, y] },
    { from: [x + 40, y], to: [x + 140, y] },
  ]);
  await expect.poll(async () => (await readBox()).width).toBeGreaterThan(before.width * 2);
  const large = await readBox();
  await move(screen, [{ from: [x, y], to: [x - 80, y - 20] }]);
  await expect.poll(async () => (await readBox()).x).toBeLessThan(large.x - 40);
  expect(page.url()).toBe(first);

  await move(screen, [
    { from: [x - 140, y], to: [x - 20, y] },
    { from: [x + 140, y], to: [x + 20, y] },
  ]);
  await expect.poll(async () => (await readBox()).width).toBeLessThan(before.width * 1.1);
  await move(screen, [{ from: [320, y], to: [60, y] }]);
  await expect(page).not.toHaveURL(first);
  await expect(print(page)).toBeVisible();
  await move(screen, [{ from: [60, y], to: [320, y] }]);
  await expect(page).toHaveURL(first);
});
