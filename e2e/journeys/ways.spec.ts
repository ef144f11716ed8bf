import { expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/journey.ts';
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
