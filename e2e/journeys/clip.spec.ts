import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/journey.ts';

const clip = (page: Page) => page.locator('video[data-clip]');
/** The clip's container. The clip itself is hidden until it has a frame. */
const place = (page: Page) => clip(page).locator('..');
const isPaused = (video: Locator) => video.evaluate((one: HTMLVideoElement) => one.paused);
const readTime = (video: Locator) => video.evaluate((one: HTMLVideoElement) => one.currentTime);

/** Opens the start page and returns a growing list of its clip requests. */
async function open(page: Page): Promise<string[]> {
  const requests: string[] = [];
  page.on('request', (request) => request.url().endsWith('.mp4') && requests.push(request.url()));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  return requests;
}

test('the clip of the start page is fetched and plays once it is scrolled into view', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const requests = await open(page);
  expect(requests).toEqual([]);
  expect(await isPaused(clip(page))).toBe(true);
  await place(page).scrollIntoViewIfNeeded();
  await expect.poll(() => readTime(clip(page))).toBeGreaterThan(0.1);
  expect(requests).toHaveLength(1);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect.poll(() => isPaused(clip(page))).toBe(true);
});

test('with reduced motion, here on a phone, it is neither fetched nor played until its button is pressed @slow', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const requests = await open(page);
  await place(page).scrollIntoViewIfNeeded();
  await expect(page.getByRole('button', { name: /^Play the clip/ })).toBeInViewport();
  await page.waitForTimeout(1000); // There is no event to wait for.
  expect(requests).toEqual([]);
  expect(await isPaused(clip(page))).toBe(true);
  await page.getByRole('button', { name: /^Play the clip/ }).press('Enter');
  await expect.poll(() => readTime(clip(page))).toBeGreaterThan(0.1);
});
