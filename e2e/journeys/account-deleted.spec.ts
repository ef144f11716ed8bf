import { run } from '../support/product.ts';
import { expect, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('deletion by the operator shows a message and leads to the login page @slow', async ({ page, expected }) => {
  expected.push(/status of 401 .*\/auth\/sign-in$/);
  const seller = await makeSeller(page, 'basic');
  await page.goto('/dashboard/history');
  await expect(page.getByText('No media found')).toBeVisible();

  const dataDir = process.env['PLINTH_DATA_DIR'] ?? '';
  const output = await run(
    'npm',
    ['run', '--silent', 'admin', '--', 'delete-user', '--email', seller.email, '--json'],
    {
      DATA_DIR: dataDir,
    },
  );
  expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({ deleted: true, sessionsEnded: 1 });

  await expect(toast(page, 'User account deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await page.getByLabel('Email', { exact: true }).fill(seller.email);
  await page.getByLabel('Password', { exact: true }).fill(seller.password);
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('main').locator('.error')).toHaveText('Invalid email or password. Please try again.');
});
