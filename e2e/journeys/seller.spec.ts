import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { balance, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { listMediaNames, newEmail } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

test('a seller signs in with Google, buys credits, makes pictures, keeps one, deletes one, and leaves', async ({
  page,
  context,
  tolerated,
}) => {
  // Requests of the history in flight at the logout.
  tolerated.push(/status of 401 .*\/api\/v1\/generations/);
  await test.step('signs in', () => signInWithGoogle(page));
  await test.step('buys the Standard package', () => buyStandard(page, () => context.newPage()));
  await test.step('removes a background', () => removeBackground(page));
  await test.step('sets the product into a scene', () => customizeBackground(page));
  await test.step('finds both in the history and downloads one', () => downloadFromHistory(page));
  await test.step('deletes, undoes, deletes', () => deleteFromHistory(page));
  await test.step('logs out', () => logOut(page));
});

async function signInWithGoogle(page: Page): Promise<void> {
  const email = newEmail();
  await page.goto('/');
  await page.getByRole('link', { name: 'Login' }).first().click();
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await page.getByRole('textbox', { name: /email address/i }).fill(email);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(email)).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page, 'Successfully signed in!')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/credits');
  await expect(page.getByText('0 Credits', { exact: true })).toBeVisible();
}

/** Another tab stays open beside the checkout. It must receive the payment without interaction. */
async function buyStandard(page: Page, newTab: () => Promise<Page>): Promise<void> {
  const other = await newTab();
  await other.goto('/dashboard/history');
  await expect(balance(other)).toHaveText('Credits: 0');
  await page.getByRole('button', { name: 'Buy Standard' }).click();
  await expect(page.getByText('20 credits')).toBeVisible();
  await page.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeFocused();
  await expect(
    page.getByText('Thank you for your purchase. Your credits have been added to your account.'),
  ).toBeVisible();
  await expect(page.getByText('Balance: 20 Credits')).toBeVisible();
  await expect(balance(other)).toHaveText(/Credits: .*20$/);
  await other.close();
  await page.getByRole('link', { name: 'Return to Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard/text-to-image');
  await expect(balance(page)).toHaveText('Credits: 20');
}

async function removeBackground(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Remover Background' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Background Customization' })).toBeFocused();
  const button = page.getByRole('button', { name: 'Remove Background, 1 credit' });
  await expect(button).toBeDisabled();
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await expect(page.getByRole('img', { name: 'Your picture, teddy.jpg' })).toBeVisible();
  await button.click();
  // The quickest may finish before its progress text is visible.
  const working = stage(page).getByText(/^(Checking credits|Removing background)\.\.\./);
  await expect(working.or(stage(page).getByRole('button', { name: 'Download Result' })).first()).toBeVisible();
  await expect(toast(page, /\.\.\.$/)).toHaveCount(0);
  await expectResult(page);
  await expect(toast(page, 'Background removed')).toBeVisible();
  await expect(balance(page)).toHaveText(/19$/);
}

async function customizeBackground(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Background Customization' }).click();
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('mug'));
  await page.getByRole('button', { name: /^See all/ }).click();
  await page.getByRole('dialog').getByLabel('Search scenes').fill('marble podium');
  await page.getByRole('dialog').getByRole('button', { name: 'white marble podium, soft light' }).first().click();
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('white marble podium, soft light');
  // As far down as the form goes, where the stage stands still.
  await page.mouse.wheel(0, 900);
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  await expect(toast(page, 'Product mockup ready')).toBeVisible();
  const [said, result] = await Promise.all([toast(page, 'Product mockup ready'), stage(page)].map(readBox));
  expect(said!.y + said!.height, 'the toast ends above the result').toBeLessThanOrEqual(result!.y);
  await expect(stage(page).getByRole('slider', { name: 'Compare before and after' })).toBeVisible();
  await expect(balance(page)).toHaveText(/18$/);
}

const readBox = (place: Locator) => place.boundingBox();

async function downloadFromHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Generated Media History' })).toBeVisible();
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.getByText(/^(48 h 00|47 h 5\d) min left$/)).toHaveCount(2);
  const downloading = page.waitForEvent('download');
  await cards
    .first()
    .getByRole('button', { name: /^Download Product image/ })
    .click();
  const file = await downloading;
  await expect(toast(page, 'Download started!')).toBeVisible();
  expect(file.suggestedFilename()).toMatch(/-scene\.png$/);
  const bytes = await readFile(await file.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeGreaterThan(50_000);
}

async function deleteFromHistory(page: Page): Promise<void> {
  const cards = page.getByRole('main').getByRole('listitem');
  const deleteFirst = async () => {
    await cards
      .first()
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
    await expect(cards).toHaveCount(1);
  };
  await deleteFirst();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards).toHaveCount(2);
  expect(await listMediaNames(page)).toHaveLength(2);
  await deleteFirst();
  await expect.poll(() => listMediaNames(page)).toEqual([expect.stringMatching(/^removed-bg-\d{13}\.png$/)]);
  await page.reload();
  await expect(cards).toHaveCount(1);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL('/');
  expect((await page.request.get('/api/v1/session')).status()).toBe(401);
  await page.goto('/dashboard/history');
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
}
