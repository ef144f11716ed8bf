import type { Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  OTHER_APPEARANCES,
  QUICK_APPEARANCES,
} from '../support/accessible.ts';
import { expect, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

test('tool and credits: accessible and never wider than the window', async ({ page }) => {
  await walk(page, async (screen) => {
    await expectNoSidewaysScroll(page, screen);
    await expectAccessible(page, screen, QUICK_APPEARANCES);
  });
});

test('tool and credits: accessible in the other looks @slow', async ({ page }) => {
  await walk(page, (screen) => expectAccessible(page, screen, OTHER_APPEARANCES));
});

async function walk(page: Page, look: (screen: string) => Promise<void>): Promise<void> {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await look('tool idle');

  await page.goto('/dashboard/credits');
  await expect(page.getByRole('main').getByRole('row').first()).toBeVisible();
  await look('credits');
}
