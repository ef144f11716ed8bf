import { balance, errorBox, expect, test, toast } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';

const SLOW_MS = 500;

test('a checkout that is canceled or declined shows one message and charges nothing @slow', async ({ page }) => {
  // A click before the page's script runs would be lost.
  await page.route('**/sandbox/checkout.js', async (route) => {
    await page.waitForTimeout(SLOW_MS);
    await route.continue();
  });
  await makeSeller(page);
  await page.goto('/dashboard/credits');
  for (const [button, sentence] of [
    ['Cancel and go back', 'Payment cancelled.'],
    ['Decline the card', 'Payment declined.'],
  ] as const) {
    await page.getByRole('button', { name: 'Buy Basic' }).click();
    await page.getByRole('button', { name: button }).click();
    await expect(errorBox(page)).toHaveText(sentence);
    await expect(toast(page, sentence)).toBeVisible();
    await expect(page).toHaveURL('/dashboard/credits');
    await expect(balance(page)).toHaveText('Credits: 0');
    expect(await readCredits(page)).toBe(0);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Buy Basic' })).toBeEnabled();
    await expect(errorBox(page)).toHaveCount(0);
  }
});
