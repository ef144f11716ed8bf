import { toolIds } from '@plinth/contract/tools';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('every tool is one click away: in the sidebar, and on a phone behind five tabs', async ({ page }) => {
  await makeSeller(page);
  await page.goto('/dashboard/history');
  const rows = page.getByRole('navigation', { name: 'Tools' }).getByRole('link');
  await expect(rows).toHaveCount(toolIds.length + 1); // and the catalogue
  await rows.filter({ hasText: 'Headshot' }).click();
  await expect(page.getByRole('heading', { name: 'Headshot Generator' })).toBeVisible();
  await expect(rows.filter({ hasText: 'Headshot' })).toHaveAttribute('aria-current', 'page');

  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.locator('> :is(a, button)')).toHaveText(['Make', 'Catalogue', 'History', 'Credits', 'More']);
  for (const [name, title] of [
    ['Basic Video', 'Basic Image to Video'],
    ['Headshot', 'Headshot Generator'],
  ] as const) {
    await bar.getByRole('button', { name: 'Make' }).click();
    const sheet = page.getByRole('dialog', { name: 'Make' });
    await expect(sheet.getByRole('link')).toHaveCount(toolIds.length);
    await sheet.getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(bar.getByRole('button', { name: 'Make' })).toHaveAttribute('aria-current', 'true');
  }
  await bar.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Your account' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectNoSidewaysScroll(page, 'the bottom bar', [320, 390]);
});

test('public pages and unknown paths lead signed-in users to the tools, and visitors to the login @slow', async ({
  page,
  expected,
}) => {
  expected.push(/status of 404/);
  const way = page.getByRole('banner').getByRole('link').filter({ hasNotText: 'Plinth' });
  const read = () =>
    way.evaluateAll((links) => links.filter((link) => link.checkVisibility()).map((l) => l.textContent));
  for (const path of ['/privacy', '/terms', '/status']) {
    await page.goto(path);
    expect(await read(), path).toEqual(['Login']);
  }
  await makeSeller(page);
  for (const path of ['/privacy', '/terms', '/status']) {
    await page.goto(path);
    expect(await read(), path).toEqual(['Dashboard']);
  }
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeHidden();
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL('/dashboard/text-to-image');
  await page.goto('/login');
  await expect(page).toHaveURL('/dashboard/text-to-image');
  await page.goto('/login?to=%2Fdashboard%2Fhistory');
  await expect(page).toHaveURL('/dashboard/history');
  await page.goto('/dashboard/no-such-tool');
  await page.getByRole('link', { name: 'To your tools' }).click();
  await expect(page).toHaveURL('/dashboard/text-to-image');
});

test('a failed return from Google leads to the login page, which says so', async ({ page }) => {
  await page.goto('/auth/callback?error=login_failed');
  await expect(toast(page, 'Login failed or session not found.')).toBeVisible();
  await expect(page).toHaveURL('/login');
});

test('a logout whose local data cannot be deleted says so, and ends the session all the same @slow', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\/events$/);
  await page.addInitScript(() => {
    IDBObjectStore.prototype.delete = () => {
      throw new DOMException('not now', 'UnknownError');
    };
  });
  await makeSeller(page);
  await page.goto('/dashboard/history');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(toast(page, 'Logged out successfully')).toBeVisible();
  await expect(toast(page, 'An error occurred during logout')).toBeVisible();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
});

test('a session that could not be extended ends for good, and the login page says why @slow', async ({
  page,
  expected,
}) => {
  expected.push(/status of 500 .*\/auth\/refresh$/);
  await makeSeller(page);
  const json = { code: 'authentication_required', detail: 'Authentication required' };
  await page.route('**/api/v1/session', (route) => route.fulfill({ status: 401, json }));
  await page.route('**/api/v1/auth/refresh', (route) => route.fulfill({ status: 500 }));
  await page.goto('/dashboard/credits');
  await expect(toast(page, 'Authentication error. Please try logging in again.')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await page.unrouteAll();
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();
  await expect(page, 'a living cookie would lead to the tools').toHaveURL('/login');
});
