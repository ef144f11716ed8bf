import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, findViolations } from '../support/accessible.ts';
import { expect, expectResult, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { samplePath } from '../support/pictures.ts';

const SCROLL_WIDTHS = [320, 390, 768, 1440];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('tool, result, history and credits: accessible and never wider than the window', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await expectFit(page, 'tool idle');

  await page.getByLabel('Product image Required').setInputFiles(samplePath('handbag'));
  await page.getByRole('button', { name: 'Plain studio, soft shadow' }).click();
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  await expectFit(page, 'tool result');

  await page.goto('/dashboard/history');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expectFit(page, 'history');
  await page.getByRole('button', { name: /^More actions/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  expect(await findViolations(page), 'history, menu open').toEqual([]);

  await page.goto('/dashboard/credits');
  await expect(page.getByRole('main').getByRole('row').first()).toBeVisible();
  await expectFit(page, 'credits');
});

async function expectFit(page: Page, screen: string): Promise<void> {
  await expectNoSidewaysScroll(page, screen, SCROLL_WIDTHS);
  await expectAccessible(page, screen);
}
