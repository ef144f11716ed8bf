import { toolIds } from '@plinth/contract/tools';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('on a phone every tool stands in the bottom bar, and leads to its form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page);
  await page.goto('/dashboard/text-to-image');
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link')).toHaveCount(toolIds.length + 1); // and the history
  for (const [name, title] of [
    ['Headshot', 'Headshot Generator'],
    ['Basic Video', 'Basic Image to Video'],
  ] as const) {
    const link = bar.getByRole('link', { name });
    await expect(link).toBeInViewport({ ratio: 1 });
    await link.click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(link).toHaveAttribute('aria-current', 'page');
  }
  await expectNoSidewaysScroll(page, 'the bottom bar', [320, 390]);
  await page.setViewportSize({ width: 320, height: 640 });
  const first = bar.getByText('Background', { exact: true });
  await expect.poll(async () => (await first.boundingBox())?.x, 'no word at the edge').toBeGreaterThanOrEqual(3);
});

test('public pages and nowhere lead whoever is signed in to the tools, and everybody else to the login', async ({
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

test('whoever logs out of a browser that will not forget is told so, and is out all the same', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\/events$/);
  await page.addInitScript(() => {
    indexedDB.deleteDatabase = () => {
      const request = new EventTarget() as IDBOpenDBRequest;
      setTimeout(() => void request.onerror?.(new Event('error')));
      return request;
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
