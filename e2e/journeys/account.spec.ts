import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  OTHER_APPEARANCES,
  QUICK_APPEARANCES,
} from '../support/accessible.ts';
import { errorBox, expect, test, toast } from '../support/journey.ts';
import { makeSeller, newEmail, signIn } from '../support/makers.ts';

const dialog = (page: Page) => page.getByRole('alertdialog', { name: 'Delete your account?' });

async function openPart(page: Page, name: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** Opens the account's parts one after the other and calls `look` for each with its content. */
async function walkParts(page: Page, look: (part: string) => Promise<void>): Promise<void> {
  await page.goto('/dashboard/account');
  for (const [part, filled] of [
    ['Profile', page.getByText('Sign-in methods')],
    ['Security', page.getByText('This browser')],
    ['API keys', page.getByLabel('Name of a new key')],
    ['Webhooks', page.getByLabel('Address')],
    ['Purchases', page.getByRole('row', { name: /^Basic, 10 credits Paid/ })],
  ] as const) {
    await openPart(page, part);
    await expect(filled).toBeVisible();
    await expect(page).toHaveTitle(`${part} · Plinth`);
    await look(part);
  }
}

test('every part of the account fits and is accessible, and other browsers can be signed out there', async ({
  page,
  newBrowser,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // Requests in flight when the other session ended.
  const seller = await makeSeller(page, 'basic');
  const other = await newBrowser();
  await signIn(other, seller);
  await other.goto('/dashboard/history');
  await expect(other.getByText('No media found')).toBeVisible();
  await walkParts(page, async (part) => {
    await expectNoSidewaysScroll(page, part);
    await expectAccessible(page, part, QUICK_APPEARANCES);
  });
  await page.getByLabel('Company').fill('Mugs & Co');
  await page.getByLabel('VAT number').fill('DE 123 456 789');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Billing details saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('VAT number')).toHaveValue('DE123456789');
  await openPart(page, 'Security');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(page.getByRole('button', { name: 'Sign out all others' })).toHaveCount(0);
  await expect(other).toHaveURL(/\/login/);
});

test('every part of the account is accessible in the other looks @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await walkParts(page, (part) => expectAccessible(page, part, OTHER_APPEARANCES));
});

test('a seller exports everything and deletes the account, from the account menu, by keyboard @slow', async ({
  page,
  newBrowser,
  expected,
  tolerated,
}) => {
  expected.push(/status of 401 .*\/api\/v1\/account$/, /status of 401 .*\/auth\/sign-in$/);
  tolerated.push(/status of 401 .*\/api\/v1\//); // Requests in flight when the account was deleted.
  const seller = await makeSeller(page, 'basic');
  const other = await newBrowser();
  await signIn(other, seller);
  await other.goto('/dashboard/history');
  await expect(other.getByText('No media found')).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 640 });
  await page.goto('/dashboard/credits');
  const menu = page.getByRole('button', { name: /^Account: / });
  await menu.focus();
  await page.keyboard.press('Enter');
  const first = page.getByRole('menuitem').first();
  await expect(first).toHaveText('Your account');
  await expect(first, 'in a window lower than the menu').toBeInViewport({ ratio: 1 });
  while (!(await first.evaluate((item) => item === document.activeElement))) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard/account');
  await expect(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeFocused();
  await openPart(page, 'Your data');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download your data' }).focus();
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^plinth-\d{4}-\d\d-\d\d\.zip$/);
  expect((await readFile(await download.path())).subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');

  await expect(page.getByText('You lose 10 credits.')).toBeVisible();
  await expect(page.getByText('What we must keep by law:')).toBeVisible();
  await expectNoSidewaysScroll(page, 'account');
  await expectAccessible(page, 'account');

  const ask = page.getByRole('button', { name: 'Delete account…' });
  await ask.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(ask).toBeFocused();
  await page.keyboard.press('Enter');
  const password = dialog(page).getByLabel('Password', { exact: true });
  await password.focus();
  await page.keyboard.press('Enter');
  await expect(dialog(page).locator('.error')).toHaveText('Please enter your password.');
  await expect(password).toBeFocused();
  await page.keyboard.type('not-my-password');
  await page.keyboard.press('Enter');
  await expect(dialog(page).locator('.error')).toHaveText('This is not your password. Please try again.');
  await expectAccessible(page, 'account, dialog with a refusal');
  await password.fill(seller.password);
  await page.keyboard.press('Enter');

  await expect(toast(page, 'User account deleted')).toBeVisible();
  await expect(page).toHaveURL('/login');
  await expect(toast(other, 'User account deleted')).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
  await page.getByLabel('Email', { exact: true }).fill(seller.email);
  await page.getByLabel('Password', { exact: true }).fill(seller.password);
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(errorBox(page)).toHaveText('Invalid email or password. Please try again.');
});

test('after an old Google sign-in, deletion needs a new one and returns to the question, on a phone @slow', async ({
  page,
  expected,
}) => {
  expected.push(/status of 403 .*\/api\/v1\/account$/);
  await page.setViewportSize({ width: 390, height: 844 });
  const email = newEmail();
  const enterGoogle = async () => {
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText(`You are signing in as ${email}.`)).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
  };
  await page.goto('/login');
  await page.getByRole('link', { name: 'Sign in with Google' }).click();
  await enterGoogle();
  await expect(page).toHaveURL('/dashboard/credits');

  // Simulates an old sign-in: the server asks for a new one, once.
  await page.route('**/api/v1/account', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ code: 'sign_in_again', status: 403, detail: 'Please sign in again to do this.' }),
    }),
  );
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Your account' }).click();
  await openPart(page, 'Your data');
  await page.getByRole('button', { name: 'Delete account…' }).click();
  await expect(dialog(page).getByLabel('Password', { exact: true })).toHaveCount(0);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog(page).locator('.error')).toHaveText('Please sign in again to do this.');
  await page.unroute('**/api/v1/account');
  await dialog(page).getByRole('link', { name: 'Sign in with Google' }).click();
  await enterGoogle();
  await expect(dialog(page).getByLabel('Email')).toHaveValue(email);
  await dialog(page).getByRole('button', { name: 'Delete account' }).click();
  await expect(toast(page, 'User account deleted')).toBeVisible();
  await expect(page).toHaveURL('/login');
});
