import type { Page } from '@playwright/test';
import { errorBox, expect, test, toast } from '../support/journey.ts';
import { makeSeller, signIn } from '../support/makers.ts';

const typeCredentials = async (page: Page, email: string, password: string) => {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
};
const submit = (page: Page) => page.locator('form').getByRole('button', { name: 'Sign In', exact: true });

test('a wrong password is refused with its sentence, and can be looked at', async ({ page, expected }) => {
  expected.push(/status of 401 .*\/auth\/sign-in$/);
  const { email, password } = await makeSeller(page);
  await page.request.post('/api/v1/auth/sign-out');
  await page.goto('/privacy');
  await page.goto('/login?to=%2Fdashboard%2Fhistory');
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('Please enter both email and password');
  await typeCredentials(page, email, 'not-my-password');
  await submit(page).click();
  await expect(errorBox(page)).toHaveText('Invalid email or password. Please try again.');
  await expect(toast(page, 'Invalid email or password. Please try again.')).toBeVisible();
  const field = page.getByLabel('Password', { exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill(password);
  await submit(page).click();
  await expect(toast(page, 'Logged in successfully')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/history');
  await test.step('Back does not lead to the login page again', async () => {
    await page.goBack();
    await expect(page).not.toHaveURL(/\/login/);
    await expect(field).toHaveCount(0);
  });
});

test('a new password signs the other browser out and is the only one that works @slow', async ({
  page,
  newBrowser,
  expected,
  tolerated,
}) => {
  expected.push(/status of 401 .*\/auth\/sign-in$/);
  tolerated.push(/status of 401 .*\/api\/v1\//); // Requests in flight when its session ends.
  const seller = await makeSeller(page);
  const other = await newBrowser();
  await signIn(other, seller);
  await other.goto('/dashboard/history');
  await expect(other.getByText('No media found')).toBeVisible();

  await page.goto('/dashboard/change-password');
  await expect(page.getByLabel('Email')).toHaveValue(seller.email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  const [fresh, again] = [page.getByLabel('New Password', { exact: true }), page.getByLabel('Confirm New Password')];
  const update = page.getByRole('button', { name: 'Update Password' });
  await fresh.fill('short');
  await again.fill('short');
  await update.click();
  await expect(errorBox(page)).toHaveText('Password must be at least 6 characters long');
  await fresh.fill('second-password');
  await again.fill('another-password');
  await update.click();
  await expect(errorBox(page)).toHaveText('Passwords do not match');
  await again.fill('second-password');
  await update.click();
  await expect(toast(page, 'Password updated successfully')).toBeVisible();
  await expect(fresh).toHaveValue('');
  await expect(page).toHaveURL('/dashboard/text-to-image');

  await expect(toast(other, 'Session expired. Please log in again.')).toBeVisible();
  await expect(other).toHaveURL(/\/login/);
  await typeCredentials(other, seller.email, seller.password);
  await submit(other).click();
  await expect(errorBox(other)).toHaveText('Invalid email or password. Please try again.');
  await typeCredentials(other, seller.email, 'second-password');
  await submit(other).click();
  await expect(other).toHaveURL('/dashboard/history');
});
