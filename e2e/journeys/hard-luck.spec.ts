import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { ENGINE_MS, expect, expectResult, stage, test } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';
import { samplePath, smallPhoto } from '../support/pictures.ts';

const field = (page: Page) => page.getByLabel('Image Required');
const press = (page: Page) => page.getByRole('button', { name: 'Remove Background, 1 credit' });

/** Makes a phone photo: 40 megapixels in landscape, rotated by EXIF, a few megabytes. */
async function makePhonePhoto(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const buffer = await sharp(samplePath('mug'))
    .resize(7296, 5472, { fit: 'fill' })
    .jpeg({ quality: 82 })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  return { name: 'IMG_4711.jpg', mimeType: 'image/jpeg', buffer };
}

/** Measures from now on the longest blocking of the page's main thread, in milliseconds. */
async function watchStandstill(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { last: performance.now(), longest: 0 };
    Object.assign(window, { standstill: seen });
    setInterval(() => {
      const now = performance.now();
      seen.longest = Math.max(seen.longest, now - seen.last);
      seen.last = now;
    }, 20);
  });
  return () => page.evaluate(() => (window as unknown as { standstill: { longest: number } }).standstill.longest);
}

test('a photo of 40 megapixels is accepted upright, and the page stays responsive while it is read @slow', async ({
  browser,
  watched,
}) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  await watched.add(context);
  const page = await context.newPage();
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const photo = await makePhonePhoto();
  expect(photo.buffer.byteLength).toBeLessThan(12 * 1024 * 1024);
  const standstill = await watchStandstill(page);
  await field(page).setInputFiles(photo);
  await expect(page.getByRole('img', { name: 'Your picture, IMG_4711.jpg' })).toBeVisible({ timeout: ENGINE_MS });
  await press(page).click();
  await expectResult(page);
  expect(await standstill(), 'milliseconds').toBeLessThan(3000);
  const { width, height } = await stage(page)
    .getByRole('img', { name: /^Result: / })
    .evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => ({ width: naturalWidth, height: naturalHeight }));
  expect(width / height).toBeCloseTo(5472 / 7296, 2);
  expect(await readCredits(page)).toBe(9);
  await context.close();
});

for (const hours of [-1, 1]) {
  test(`with a clock ${hours < 0 ? 'an hour behind' : 'an hour ahead'} every figure of time is the server's @slow`, async ({
    page,
  }) => {
    await page.addInitScript((aheadMs) => {
      const RealDate = Date;
      window.Date = class extends RealDate {
        constructor(...given: unknown[]) {
          super(...((given.length === 0 ? [RealDate.now() + aheadMs] : given) as [number]));
        }
        static override now = () => RealDate.now() + aheadMs;
      } as DateConstructor;
    }, hours * 3_600_000);
    await makeSeller(page, 'basic');
    await page.goto('/dashboard/remover');
    await field(page).setInputFiles(await smallPhoto('dropper'));
    await press(page).click();
    await expect(
      stage(page)
        .getByText(/^0:\d\d$/)
        .or(stage(page).getByText(/^Deleted in /)),
    ).toBeVisible();
    await expectResult(page);
    await expect(stage(page).getByText(/^Deleted in 47 h 5\d min$/)).toBeVisible();
    await page.goto('/dashboard/history');
    await expect(page.getByRole('main').getByText(/^47 h 5\d min left$/)).toBeVisible();
    await expect(page.getByRole('link', { name: /^Credits: 9/ }).first()).toBeVisible();
  });
}

test.describe('a script that does not arrive', () => {
  test.use({ expected: [/Failed to load resource/] });

  test('the gate says after a while that the page can be loaded again, and it can @slow', async ({ page }) => {
    await makeSeller(page, 'basic');
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/dashboard/history');
    await expect(page.getByText('This takes longer than usual.')).toBeHidden();
    await expect(page.getByText('This takes longer than usual.')).toBeVisible({ timeout: 15_000 });
    await page.unroute('**/assets/*.js');
    await page.getByRole('link', { name: 'Reload this page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Generated Media History' })).toBeVisible();
  });
});

test('a screen that takes its time to arrive shows that it is on its way', async ({ page }) => {
  await makeSeller(page, 'basic');
  const arrival = Promise.withResolvers<undefined>();
  await page.route('**/assets/HistoryWithRunning-*.js', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto('/dashboard/remover');
  await page.getByRole('link', { name: 'History' }).click();
  const bar = page.getByRole('progressbar', { name: 'Loading' });
  await expect(bar).toBeVisible();
  arrival.resolve(undefined);
  await expect(page.getByRole('heading', { level: 1, name: 'Generated Media History' })).toBeVisible();
  await expect(bar).toHaveCount(0);
});
