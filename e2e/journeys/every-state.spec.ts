import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { balance, ENGINE_MS, errorBox, expect, expectResult, stage, test, disablePreview } from '../support/journey.ts';
import { listMediaNames, makeSeller, readCredits } from '../support/makers.ts';
import { makeEmptyPicture, samplePath, smallPhoto } from '../support/pictures.ts';

const generate = (page: Page) => page.getByRole('button', { name: 'Remove Background, 1 credit' });
const START = '**/api/v1/tools/remover/generations';

/** Asserts that the form has this photo. */
const expectPhoto = (page: Page, name: string) =>
  expect(page.getByRole('img', { name: `Your picture, ${name}` })).toBeVisible();

test('a reload in any state of a tool restores that state, and nothing is paid twice @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');

  // Idle, with a photo.
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('dropper'));
  await expectPhoto(page, 'dropper.jpg');
  await page.reload();
  await expectPhoto(page, 'dropper.jpg');
  await expect(generate(page)).toBeEnabled();

  // Checking: the request has no response yet.
  let sentKey = '';
  await page.route(START, (route) => void (sentKey = route.request().headers()['idempotency-key'] ?? ''));
  await generate(page).click();
  await expect(stage(page).getByText('Checking credits...')).toBeVisible();
  await page.reload();
  await expectPhoto(page, 'dropper.jpg');
  await expect(stage(page).getByText('Checking credits...')).toBeHidden();
  await expect(balance(page)).toHaveAccessibleName('Credits: 10');
  await page.unroute(START);

  // Running: the same form is sent with the same key.
  const accepted = page.waitForResponse(START);
  await generate(page).click();
  expect((await accepted).request().headers()['idempotency-key']).toBe(sentKey);
  await expect(balance(page)).toHaveAccessibleName('Credits: 9');
  await page.reload();
  await expectResult(page);

  // Ended, with a result.
  await page.reload();
  await expectResult(page);
  await expectPhoto(page, 'dropper.jpg');
  await expect(balance(page)).toHaveAccessibleName('Credits: 9');
  expect(await listMediaNames(page)).toHaveLength(1);
});

test('a reload during an upload, or after a refusal, shows the true state @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const slow = await page.context().newCDPSession(page);
  const limit = (uploadThroughput: number) =>
    slow.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await slow.send('Network.enable');
  const large = await sharp(samplePath('mug')).resize(2000).jpeg({ quality: 100 }).toBuffer();
  await page.getByLabel('Image Required').setInputFiles({ name: 'mug.jpg', mimeType: 'image/jpeg', buffer: large });
  await expectPhoto(page, 'mug.jpg');
  await limit(20_000);
  await generate(page).click();
  await expect(stage(page).getByText(/^Sending your photo, /)).toBeVisible();
  await page.reload();
  await limit(-1);
  await expectPhoto(page, 'mug.jpg');
  await expect(generate(page)).toBeEnabled();
  expect(await readCredits(page), 'what had not arrived costs nothing').toBe(10);

  await page.getByRole('button', { name: 'Remove mug.jpg' }).click();
  const wall = { name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture(400) };
  await disablePreview(page);
  await page.getByLabel('Image Required').setInputFiles(wall);
  await generate(page).click();
  const refused = stage(page).getByRole('heading', { name: 'No picture this time' });
  await expect(refused).toBeVisible({ timeout: ENGINE_MS });
  await page.reload();
  await expect(refused).toBeVisible();
  await expectPhoto(page, 'wall.png');
  await expect(errorBox(page).or(stage(page).getByText('Show us'))).not.toHaveCount(0);
  expect(await readCredits(page)).toBe(10);
});

test('Back leaves every dialog, purchase and sign-out, and never returns to a finished one @slow', async ({ page }) => {
  await makeSeller(page);
  await page.goto('/dashboard/history');
  await expect(page.getByText('No media found')).toBeVisible();

  // From a dialog: it closes with its screen, and nothing of it covers the next one.
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: 'Background Customization' }).click();
  await page.getByRole('button', { name: /^See all \d+/ }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/dashboard/history');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Account' })
    .getByRole('link', { name: /^Credits/ })
    .click();
  await expect(page).toHaveURL('/dashboard/credits');

  // From a checkout, and back to a paid one: it is bought once.
  await page.getByRole('button', { name: 'Buy Basic' }).click();
  await expect(page.getByRole('button', { name: 'Decline the card' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Buy Basic' })).toBeEnabled();
  await page.getByRole('button', { name: 'Buy Basic' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Payment cancelled.')).toHaveCount(0);
  await page.goto('/dashboard/credits');
  await expect(balance(page)).toHaveAccessibleName('Credits: 10');

  // After the sign-out: the login page, without any personal data.
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Credits: 10')).toHaveCount(0);
});
