import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { ENGINE_MS, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { samplePath, smallPhoto } from '../support/pictures.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Export for marketplaces' });
const answerOf = (page: Page, name: string) => page.locator('.check-answer').filter({ hasText: name });

const readBox = (part: Locator) => part.boundingBox();

/** Saves the file of a download and returns its path. */
async function saved(page: Page, click: () => Promise<void>): Promise<{ name: string; path: string }> {
  const downloading = page.waitForEvent('download', { timeout: ENGINE_MS });
  await click();
  const download = await downloading;
  return { name: download.suggestedFilename(), path: await download.path() };
}

test('a cut-out becomes the files of marketplaces, which pass their checks @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(samplePath('candle'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  let exported = '';

  await test.step('two are chosen by keyboard and downloaded as one archive', async () => {
    await stage(page).getByRole('button', { name: 'Export', exact: true }).press('Enter');
    for (const name of ['Amazon, main picture', 'eBay']) {
      const box = dialog(page).getByRole('checkbox', { name, exact: true });
      await expect(box).toBeEnabled({ timeout: ENGINE_MS });
      await box.press('Space');
    }
    const preview = dialog(page).locator('.pack-card img').first();
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
    await expectAccessible(page, 'export');
    const archive = await saved(page, () =>
      dialog(page).getByRole('button', { name: 'Export 2 files' }).press('Enter'),
    );
    expect(archive.name).toMatch(/-export\.zip$/);
    const names = (await readFile(archive.path)).toString('latin1');
    expect(names).toContain('-amazon-main.jpg');
    expect(names).toContain('-ebay.jpg');
  });

  await test.step('a look is saved by name and applied to a packshot and the files', async () => {
    await dialog(page).getByRole('button', { name: 'Shadow, margins, canvas' }).click();
    await dialog(page).getByRole('button', { name: 'Soft' }).click();
    await dialog(page).getByRole('button', { name: 'On the foot' }).click();
    const shown = dialog(page).getByAltText('The packshot by this look');
    await expect(shown).toHaveAttribute('src', /soft.*foot/);
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth), {
        timeout: ENGINE_MS,
      })
      .toBe(640);
    await dialog(page).getByLabel('Save as').fill('Soft light');
    await dialog(page).getByRole('button', { name: 'Save as new' }).click();
    await expect(toast(page, 'Look saved.')).toBeVisible();
    await expect(dialog(page).getByRole('combobox', { name: 'Look' })).toContainText('Soft light');
    await expectNoSidewaysScroll(page, 'looks');
    await expectAccessible(page, 'looks');
    const packshot = await saved(page, () =>
      dialog(page).getByRole('button', { name: 'Packshot', exact: true }).click(),
    );
    expect(packshot.name).toMatch(/-packshot\.jpg$/);
    await expect(dialog(page).locator('.pack-card img').first()).toHaveAttribute('src', /look=look_/);
    await dialog(page).getByRole('button', { name: 'Delete' }).click();
    await expect(dialog(page).getByRole('combobox', { name: 'Look' })).toHaveValue('');
    await dialog(page).getByRole('button', { name: 'Close looks' }).click();
    await expect(toast(page, 'Download started!')).toHaveCount(0);
  });

  await test.step("on a phone a look's picture covers no input field", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await dialog(page).getByRole('button', { name: 'Shadow, margins, canvas' }).click();
    const room = dialog(page).locator('.export-room');
    for (const name of [/^Size/, 'Save as']) {
      const field = dialog(page).getByLabel(name);
      await room.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      const isSeen = await field.evaluate((input) => {
        input.scrollIntoView();
        const { left, top } = input.getBoundingClientRect();
        return document.elementFromPoint(left + 20, top + 10) === input;
      });
      expect(isSeen, String(name)).toBe(true);
    }
    await dialog(page).getByRole('button', { name: 'Close looks' }).click();
  });

  await test.step('on a phone one click saves one, and the selection is kept', async () => {
    const file = await saved(page, () =>
      dialog(page).getByRole('button', { name: 'Export for Amazon, main picture' }).click(),
    );
    expect(file.name).toMatch(/-amazon-main\.jpg$/);
    exported = file.path;
    const said = toast(page, 'Download started');
    await expect(said).toBeVisible();
    const isOnTop = await said.evaluate((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isOnTop, 'the toast is seen above the dialog').toBe(true);
    const [words, room] = await Promise.all([said, dialog(page).locator('.export-room')].map(readBox));
    expect(words!.y + words!.height, 'it lies on no field').toBeLessThanOrEqual(room!.y);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await stage(page).getByRole('button', { name: 'Export', exact: true }).click();
    await expect(dialog(page).getByRole('checkbox', { name: 'eBay', exact: true })).toBeChecked();
    await page.keyboard.press('Escape');
  });

  await test.step('the file that was saved is ready', async () => {
    await page.goto('/dashboard/check');
    const buffer = await readFile(exported);
    await page.locator('.drop-well input').setInputFiles({ name: 'saved.jpg', mimeType: 'image/jpeg', buffer });
    const amazon = answerOf(page, 'Amazon, main picture');
    await expect(amazon.getByText('Ready as it is')).toBeVisible({ timeout: ENGINE_MS });
    await amazon.locator('summary').press('Enter');
    await expect(amazon.getByText('All of the background is 255, 255, 255')).toBeVisible();
    await expectAccessible(page, 'check');
  });

  await test.step('a plain photo is handed over to background removal', async () => {
    await page.locator('.drop-well input').setInputFiles(await smallPhoto('teddy'));
    const png = answerOf(page, 'Transparent PNG');
    await expect(png.getByText('Remove the background, then export')).toBeVisible({ timeout: ENGINE_MS });
    await expect(png.getByText('The background is not transparent')).toBeVisible();
    await expectNoSidewaysScroll(page, 'check');
    await page.setViewportSize({ width: 1440, height: 844 });
    const overlaps = await page.locator('.check-answer summary').evaluateAll((all) =>
      all.flatMap((summary) => {
        const words = document.createRange();
        words.selectNodeContents(summary.children[0]!);
        const [name, verdict] = [words, summary.querySelector('.pack-says')!].map((part) =>
          part.getBoundingClientRect(),
        );
        const isFree = name!.right <= verdict!.left || name!.bottom <= verdict!.top;
        return isFree ? [] : [words.toString()];
      }),
    );
    expect(overlaps, 'names that lie on what is said of them').toEqual([]);
    await png.getByRole('button', { name: 'Remove the background for Transparent PNG' }).click();
    await expect(page).toHaveURL('/dashboard/remover');
    await expect(page.getByRole('img', { name: 'Your picture, teddy.jpg' })).toBeVisible();
    await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  });

  await test.step('its result is exported at once, and the way back leads to what was checked', async () => {
    await expect(dialog(page)).toBeVisible({ timeout: ENGINE_MS });
    const png = dialog(page).getByRole('checkbox', { name: 'Transparent PNG', exact: true });
    await expect(png).toBeChecked({ timeout: ENGINE_MS });
    await expect(png).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await page.goBack();
    await expect(answerOf(page, 'Transparent PNG').getByText('Remove the background, then export')).toBeVisible();
    await expect(page.getByAltText('Your picture')).toBeVisible();
  });
});
