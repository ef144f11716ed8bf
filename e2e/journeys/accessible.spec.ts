import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('tool and credits: accessible and never wider than the window', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await expectFit(page, 'tool idle');

  await page.goto('/dashboard/credits');
  await expect(page.getByRole('main').getByRole('row').first()).toBeVisible();
  await expectFit(page, 'credits');
});

async function expectFit(page: Page, screen: string): Promise<void> {
  await expectNoSidewaysScroll(page, screen);
  await expectAccessible(page, screen);
}
