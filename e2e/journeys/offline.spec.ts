import { balance, expect, productUrl, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

const STRIP = 'You are offline. What is running carries on; this page catches up when you are back.';
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };

test('offline a strip says so and nothing is sent, and online again the page catches up', async ({ page, context }) => {
  await makeSeller(page, 'basic');
  // The phone's bars are loaded first, so that both layouts are available offline.
  await page.setViewportSize(PHONE);
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByRole('banner')).toBeVisible();
  await page.setViewportSize(WIDE);
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('mug'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('On a white shelf');
  const generate = page.getByRole('button', { name: 'Generate, 1 credit' });
  await expect(generate).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Show us the product' })).toBeVisible();
  await expect(page.getByText(STRIP)).toBeHidden();

  await context.setOffline(true);
  await expect(page.getByText(STRIP)).toBeVisible();
  await expect(generate).toBeDisabled();
  await page.setViewportSize(PHONE);
  const bar = await page.getByRole('banner').boundingBox();
  const strip = await page.getByText(STRIP).boundingBox();
  expect(strip?.y, 'the strip stands under the top bar').toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  await page.setViewportSize(WIDE);
  await page.getByRole('link', { name: 'Remover Background' }).click();
  const sample = page.getByRole('button', { name: 'Use the sample teddy' });
  await expect(sample).toBeDisabled();
  await expect(sample.locator('img'), 'no broken picture').toHaveCount(0);

  const creditsResponse = page.waitForResponse((response) => response.url().endsWith('/api/v1/credits'));
  await context.setOffline(false);
  await expect(page.getByText(STRIP)).toBeHidden();
  await expect(sample).toBeEnabled();
  await expect.poll(() => sample.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).not.toBe(0);
  await page.getByRole('link', { name: 'Background Customization' }).click();
  await expect(generate).toBeEnabled();
  expect((await creditsResponse).status()).toBe(200);
});

test('until its scripts load the dashboard says so, and without JavaScript it says what it needs @slow', async ({
  page,
  browser,
}) => {
  await makeSeller(page);
  let letThrough = () => {};
  const held = new Promise<void>((release) => (letThrough = release));
  await page.route('**/assets/*.js', (route) => held.then(() => route.continue()));
  await page.goto('/dashboard/text-to-image', { waitUntil: 'commit' });
  const loading = page.getByRole('status').getByText('Loading', { exact: true });
  await expect(loading).toBeVisible();
  letThrough();
  await expect(page.getByRole('heading', { level: 1, name: 'Background Customization' })).toBeVisible();
  await expect(loading).toBeHidden();

  const plain = await browser.newContext({ baseURL: productUrl(), javaScriptEnabled: false });
  const unscripted = await plain.newPage();
  await unscripted.goto('/dashboard/credits');
  await expect(unscripted.locator('noscript p')).toBeVisible();
  await plain.close();
});

test('a screen that throws shows an error in its place, and the sidebar stays @slow', async ({ page, expected }) => {
  expected.push(/ERR_FAILED/, /dynamically imported module/);
  await makeSeller(page);
  // Set up before the page opens, because it prefetches the other screens.
  await page.route('**/assets/HistoryWithRunning*.js', (route) => route.abort());
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This screen stumbled.' })).toBeVisible();
  await expect(page.getByText('Your credits and results are safe.')).toBeVisible();
  await expect(balance(page)).toBeVisible();
  await page.unroute('**/assets/HistoryWithRunning*.js');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByText('No media found')).toBeVisible();
});

test('a screen that could not be fetched offline appears once the network is back @slow', async ({
  page,
  context,
  expected,
  tolerated,
}) => {
  expected.push(/ERR_FAILED/, /could not be fetched/);
  tolerated.push(/ERR_INTERNET_DISCONNECTED/); // The event stream may reconnect at that moment.
  await makeSeller(page);
  await page.route('**/assets/CreditsWithLedger*', (route) => route.abort());
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await page.getByRole('textbox', { name: 'Scene description' }).fill('On a white shelf');
  await context.setOffline(true);
  await balance(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline.' })).toBeVisible();
  await page.unroute('**/assets/CreditsWithLedger*');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'Credits' })).toBeVisible();
  await page.getByRole('link', { name: 'Background Customization' }).click();
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('On a white shelf');
});
