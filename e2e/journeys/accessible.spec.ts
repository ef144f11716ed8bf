import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect, expectResult, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { samplePath } from '../support/pictures.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
const AXE_WIDTHS = [1440, 390];
const SCROLL_WIDTHS = [320, 390, 768, 1440];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('login: accessible and never wider than the window', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await expectFit(page, 'login');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).first().click();
  await expectFit(page, 'sign-up');
});

test('tool, result, history and credits: accessible and never wider than the window', async ({ page }) => {
  test.setTimeout(120_000);
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
  for (const width of SCROLL_WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
        message: `${screen} scrolls sideways at ${width}`,
      })
      .toBeLessThanOrEqual(0);
  }
  for (const width of AXE_WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await settle(page);
      expect(await findViolations(page), `${screen} at ${width}, ${colorScheme}`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits for the colours to arrive; what turns for ever is not waited for. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
}

/** Rule and place of everything that axe-core holds against WCAG 2.2 A and AA. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults, string[]>(
    (tags) =>
      (window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
        runOnly: tags,
        resultTypes: ['violations'],
      }),
    RULES,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
