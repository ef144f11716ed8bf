import type { Locator } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { balance, ENGINE_MS, expect, expectResult, stage, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

test('unknown words are reported with the result, and a redo with other words is free @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('dropper'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('qwrtz blorf');
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  await expect(stage(page).getByText('The nearest scene we have to these words.')).toBeVisible();
  const words = `wooden table, velvet sofa, ${'w'.repeat(100)}`;
  await page.getByRole('textbox', { name: 'Scene description' }).fill(words);
  await page.getByRole('button', { name: 'Make again, free, 3 left' }).click();
  const result = stage(page).getByRole('img', { name: `Result: ${words}` });
  await expect(result).toBeVisible({ timeout: ENGINE_MS });
  await expect(stage(page).getByText(/^Made: .*wooden table/)).toBeVisible();
  const notDrawn = stage(page).getByText(/^Not drawn: .*velvet sofa/);
  await expect(notDrawn).toBeVisible();
  const edgeOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right);
  expect(await edgeOf(notDrawn), 'no word is cut off').toBeLessThan(await edgeOf(stage(page)));
  await expect(page.getByRole('button', { name: 'Make again, free, 2 left' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'tool result');
  await expectAccessible(page, 'tool result');
  // The form shows the prompt, whichever version is viewed.
  await page.getByRole('button', { name: 'Version 1' }).click();
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('qwrtz blorf');
  await expect(balance(page)).toHaveText(/9$/);
});

test('a scene is picked beside the field by keyboard, and its words fill the field @slow', async ({ page }) => {
  await makeSeller(page);
  await page.goto('/dashboard/text-to-image');
  const strip = page.getByRole('toolbar', { name: 'Scenes to pick' });
  const second = strip.getByRole('button').nth(1);
  await strip.getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(second).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue(
    new RegExp(`^${await second.innerText()}$`, 'i'),
  );
  const picture = second.locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(90);
});
