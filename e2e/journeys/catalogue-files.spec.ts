import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { addPhotos, countsOf } from '../support/catalogue.ts';
import { ENGINE_MS, expect, test, toast } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';
import { samplePath, smallPhoto } from '../support/pictures.ts';

test('an impossible marketplace file is reported before the start, and corrected @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  const large = await smallPhoto('candle', 1680);
  const old = { ...(await smallPhoto('teddy', 200)), name: 'old.jpg' };
  await addPhotos(page, [large, old]);
  await page.locator('summary', { hasText: 'Files for shops' }).click();
  await page.getByRole('checkbox', { name: 'Amazon, main picture' }).check();
  await page.getByRole('checkbox', { name: 'Etsy' }).check();
  await expect(page.getByText('1 photo is too small for Amazon, main picture and Etsy.')).toBeVisible();
  await page.getByRole('button', { name: '1 too small' }).click();
  const rows = page.getByRole('region', { name: 'Photos' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('The product needs 800 pixels on its longer side, this photo has 200.');
  await expectAccessible(page, 'photos too small');
  await expectNoSidewaysScroll(page, 'photos too small');
  await page.getByRole('button', { name: 'Start, 2 credits' }).click();

  const lacking = page.getByRole('region', { name: /a marketplace file$/ });
  await expect(countsOf(page)).toHaveText('2 pictures ready, 1 lacks a marketplace file', {
    timeout: ENGINE_MS,
  });
  await expect(toast(page, 'is done.'), 'this page says it already').toHaveCount(0);
  await expect(lacking).toContainText('old.jpg');
  await expect(lacking).toContainText('Too small for Amazon, main picture and Etsy.');
  await expect(lacking).toContainText('The product needs 800 pixels on its longer side.');
  await expect(page.getByRole('region', { name: 'Pictures' }).getByText('2 files missing')).toBeVisible();
  await expectAccessible(page, 'missing files');
  await expectNoSidewaysScroll(page, 'missing files');

  await page.setViewportSize({ width: 390, height: 844 });
  await lacking.getByLabel('Larger photo, 1 credit, for old.jpg').last().setInputFiles(samplePath('candle'));
  await expect(countsOf(page)).toHaveText('All 2 pictures ready', { timeout: ENGINE_MS });
  await expect(lacking).toHaveCount(0);
  expect(await readCredits(page)).toBe(7);
  await page.goto('/dashboard/catalogue');
  await expect(page.getByText('All 2 pictures ready')).toBeVisible();
});
