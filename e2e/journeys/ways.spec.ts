import { toolIds } from '@plinth/contract/tools';
import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, stage, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('on a phone every tool stands in the bottom bar, and leads to its form', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page);
  await page.goto('/dashboard/text-to-image');
  const bar = page.getByRole('navigation', { name: 'Main' });
  await expect(bar.getByRole('link')).toHaveCount(7);
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
});

test('public pages lead whoever is signed in to the tools, and everybody else to the login', async ({ page }) => {
  const way = page.getByRole('banner').getByRole('link').filter({ hasNotText: 'Plinth' });
  const read = () =>
    way.evaluateAll((links) => links.filter((link) => link.checkVisibility()).map((l) => l.textContent));
  for (const path of ['/privacy', '/terms']) {
    await page.goto(path);
    expect(await read(), path).toEqual(['Login']);
  }
  await makeSeller(page);
  for (const path of ['/privacy', '/terms']) {
    await page.goto(path);
    expect(await read(), path).toEqual(['Dashboard']);
  }
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeHidden();
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
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

for (const tool of toolIds) {
  test(`the idle stage of ${tool} shows an example until there is a photo`, async ({ page }) => {
    await makeSeller(page);
    await page.goto(`/dashboard/${tool}`);
    const example = stage(page).getByRole('figure', { name: 'Example' });
    const isDrawn = () =>
      example.locator('img').evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth > 100));
    await expect.poll(isDrawn).toEqual(tool === 'dress-change' ? [true, true, true] : [true, true]);
    await page
      .getByRole('button', { name: /^Use the sample/ })
      .first()
      .click();
    await expect(example).toHaveCount(0);
  });
}
