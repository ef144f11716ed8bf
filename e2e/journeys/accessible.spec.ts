import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, findViolations } from '../support/accessible.ts';
import { ENGINE_MS, expect, expectResult, test, toast } from '../support/journey.ts';
import { makeSeller, startGeneration } from '../support/makers.ts';
import { samplePath, samplePhoto } from '../support/pictures.ts';

const SCROLL_WIDTHS = [320, 390, 768, 1440];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('tool, result, history and credits: accessible and never wider than the window', async ({ page }) => {
  await makeSeller(page, 'basic');
  await startGeneration(page, 'basic-image-to-video', { image: samplePhoto('dropper') });
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await expectFit(page, 'tool idle');

  await page.getByLabel('Product image Required').setInputFiles(samplePath('handbag'));
  await page.getByRole('button', { name: 'Plain studio, soft shadow' }).click();
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  const working = toast(page, 'Generating product mockup...');
  await expect(working).toBeVisible();
  const [around, spinner] = await Promise.all([working.boundingBox(), working.locator('.spin').boundingBox()]);
  expect(middle(spinner), 'the spinner stands at the height of its toast').toBeCloseTo(middle(around), 0);
  await expectResult(page);
  await expectFit(page, 'tool result');

  await page.goto('/dashboard/history');
  await expect(page.getByRole('button', { name: /^Play Basic video, / })).toBeVisible({
    timeout: ENGINE_MS,
  });
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await expectFit(page, 'history');
  await page.setViewportSize({ width: 768, height: 900 });
  const [title, all] = await Promise.all([
    page.getByRole('heading', { level: 1 }).boundingBox(),
    page.getByRole('button', { name: 'Download all' }).boundingBox(),
  ]);
  expect(all?.x, '"Download all" stands right of the title').toBeGreaterThan((title?.x ?? 0) + (title?.width ?? 0));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  expect(await findViolations(page), 'history, menu open').toEqual([]);

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
