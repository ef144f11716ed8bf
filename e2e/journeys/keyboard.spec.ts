import type { Locator, Page } from '@playwright/test';
import { expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

/** Presses Tab until this has the focus. Asserts its focus ring. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const isThere = await target.evaluate((element) => element === document.activeElement);
    if (!isThere) continue;
    const ring = await target.evaluate((element) => {
      const [own, around] = [getComputedStyle(element), getComputedStyle(element.parentElement ?? element)];
      return [own.outlineStyle, around.outlineStyle, own.boxShadow, around.boxShadow].some((style) => style !== 'none');
    });
    expect(ring, 'the focus is seen').toBe(true);
    return;
  }
  throw new Error(`Tab never reached ${String(target)}`);
}

test('everything from sign-in to the file is done with the keyboard alone', async ({ page }) => {
  const seller = await makeSeller(page, 'basic');
  await page.request.post('/api/v1/auth/sign-out');
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email', { exact: true }));
  await page.keyboard.type(seller.email);
  await tabTo(page, page.getByLabel('Password', { exact: true }));
  await page.keyboard.type(seller.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/text-to-image');

  await tabTo(page, page.getByRole('link', { name: 'Background Customization' }));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Use the sample dropper' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('img', { name: 'Your picture, dropper.jpg' })).toBeVisible();
  await expect(page.getByLabel('Product image Required')).toBeFocused();
  await tabTo(page, page.getByRole('textbox', { name: 'Scene description' }));
  await page.keyboard.type('On a white shelf, soft light');
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
  await tabTo(page, page.getByRole('button', { name: /^Account/ }));
  await page.keyboard.press('Control+Enter');
  await expectResult(page);
  await expect(toast(page, 'Product mockup ready')).toBeVisible();

  const slider = stage(page).getByRole('slider', { name: 'Compare before and after' });
  await tabTo(page, slider);
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', '0% of your photo shown');
  await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '1% of your photo shown');
  await tabTo(page, page.getByRole('button', { name: 'Download Mockup' }));
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await downloading).suggestedFilename()).toMatch(/-scene\.png$/);
});
