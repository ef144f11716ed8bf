import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { addPhotos, countsOf } from '../support/catalogue.ts';
import { ENGINE_MS, test } from '../support/journey.ts';
import { buyPackage, makeSeller, readCredits } from '../support/makers.ts';
import { countKeptPictures, smallPhoto } from '../support/pictures.ts';

test.use({ expected: [/402/], tolerated: [/api\/v1\/events/] });

/** Starts another catalogue of the same user, as in another tab. Returns its URL. */
async function openElsewhere(page: Page): Promise<string> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const begun = await page.request.post('/api/v1/runs', { headers, data: { name: 'Elsewhere', tool: 'remover' } });
  return `/api/v1/runs/${((await begun.json()) as { id: string }).id}`;
}

async function spend(page: Page, run: string, credits: number): Promise<void> {
  const image = await smallPhoto('mug');
  for (let item = 0; item < credits; item += 1) {
    const headers = { 'Idempotency-Key': randomUUID() };
    const taken = await page.request.post(`${run}/items`, { headers, multipart: { image } });
    expect(taken.status()).toBe(202);
  }
}

test('if credits run out before the start, no photo is lost and nothing is charged @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  const elsewhere = await openElsewhere(page);
  await spend(page, elsewhere, 9);
  // This tab gets no events about the other one.
  await page.route('**/api/v1/events', (route) => route.abort());
  await addPhotos(page, [await smallPhoto('mug'), await smallPhoto('teddy')]);
  await expect(page.getByText('2 photos, 2 credits, you have 1')).toBeVisible();
  await spend(page, elsewhere, 1);
  await page.getByRole('button', { name: 'Start with what I have' }).click();

  await expect(page).toHaveURL(/\/catalogue\/run_/);
  const progress = page.getByRole('region', { name: 'Progress' });
  const sentence =
    'There are no credits for the next photo. The photos left wait here, unpaid. With credits it goes on by itself.';
  await expect(progress).toContainText('Upload stopped: 0 of 2 photos');
  await expect(progress).toContainText(sentence);
  await expect(progress.getByRole('link', { name: 'Get credits' })).toBeVisible();
  expect(await readCredits(page)).toBe(0);

  // The browser keeps the photos for the next visit, also in a window as narrow as a phone.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(progress).toContainText(sentence);
  expect(await countKeptPictures(page, 'catalogues')).toBe(2);

  await buyPackage(page, 'basic');
  const credits = await readCredits(page);
  await page.unroute('**/api/v1/events');
  await page.reload();
  await expect(countsOf(page)).toHaveText('All 2 pictures ready', { timeout: ENGINE_MS });
  expect(await readCredits(page)).toBe(credits - 2);
});
