import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, expectResult, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

const SCROLL_WIDTHS = [320, 390, 768, 1440];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('tool, result and credits: accessible and never wider than the window', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await expectFit(page, 'tool idle');

  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('handbag'));
  await page.getByRole('button', { name: 'Plain studio, soft shadow' }).click();
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  const working = toast(page, 'Generating product mockup...');
  await expect(working).toBeVisible();
  const [around, spinner] = await Promise.all([working.boundingBox(), working.locator('.spin').boundingBox()]);
  expect(middle(spinner), 'the spinner stands at the height of its toast').toBeCloseTo(middle(around), 0);
  await expectResult(page);
  await expectFit(page, 'tool result');

  await page.goto('/dashboard/credits');
  await expect(page.getByRole('main').getByRole('row').first()).toBeVisible();
  await expectFit(page, 'credits');
});

function middle(box: { y: number; height: number } | null): number {
  return (box?.y ?? NaN) + (box?.height ?? NaN) / 2;
}

async function expectFit(page: Page, screen: string): Promise<void> {
  await expectNoSidewaysScroll(page, screen, SCROLL_WIDTHS);
  await expectAccessible(page, screen);
}
