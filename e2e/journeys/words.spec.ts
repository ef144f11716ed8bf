import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { balance, ENGINE_MS, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

test('words that nobody knows are not sold silently, and other words are free', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('dropper'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('qwrtz blorf');
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  const working = toast(page, 'Generating product mockup...');
  await expect(working).toBeVisible();
  const [around, spinner] = await Promise.all([working.boundingBox(), working.locator('.spin').boundingBox()]);
  expect(middle(spinner), 'the spinner stands at the height of its toast').toBeCloseTo(middle(around), 0);
  await expectResult(page);
  await expect(stage(page).getByText('Plain studio: no scene we know in these words.')).toBeVisible();
  const strip = stage(page).getByRole('toolbar', { name: 'Scenes to pick' });
  await expect(strip).toBeVisible();
  await expectAccessible(page, 'other words');

  const field = stage(page).getByLabel('Scene description, other words');
  const pick = strip.getByRole('button').nth(2);
  await pick.click();
  await expect(field).toHaveValue((await pick.textContent()) ?? 'no words');
  await field.fill('wooden table, velvet sofa');
  await stage(page).getByRole('button', { name: 'Make it, free, 3 left' }).click();
  const result = stage(page).getByRole('img', { name: 'Result: wooden table, velvet sofa' });
  await expect(result).toBeVisible({ timeout: ENGINE_MS });
  await expect(stage(page).getByText(/^Made: .*wooden table/)).toBeVisible();
  await expect(stage(page).getByText(/^Not drawn: .*velvet sofa/)).toBeVisible();
  await expect(stage(page).getByRole('button', { name: 'Another version, free, 2 left' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'tool result', [320, 390, 768, 1440]);
  await expectAccessible(page, 'tool result');
  await stage(page).getByRole('button', { name: 'Change the words, free' }).click();
  await expect(field).toHaveValue('wooden table, velvet sofa');
  await expect(balance(page)).toHaveText(/9$/);
});

function middle(box: { y: number; height: number } | null): number {
  return (box?.y ?? NaN) + (box?.height ?? NaN) / 2;
}

test('a scene is picked beside the field by keyboard, and its words are written', async ({ page }) => {
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
    (await second.textContent()) ?? '',
  );
  const picture = second.locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(90);
});
