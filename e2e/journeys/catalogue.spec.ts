import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { countsOf as counts, failedOf as failed } from '../support/catalogue.ts';
import { ENGINE_MS, expect, test, toast } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';
import { makeEmptyPicture, samplePath, samplePhoto } from '../support/pictures.ts';

const LIST = `sku,file,prompt
M-01,mug.jpg,
M-02,DROPPER,
M-03,handbag.jpg,
M-03,teddy.jpg,
M-05,grey.png,
M-06,mug-2.jpg,
M-07,lamp.jpg,
`;

/** A folder as a seller has it: five good photos, one without a product, a list with two mistakes. */
function makeFolder(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'plinth-catalogue-')));
  for (const name of ['mug', 'dropper', 'handbag', 'teddy'])
    writeFileSync(join(folder, `${name}.jpg`), samplePhoto(name));
  writeFileSync(join(folder, 'mug-2.jpg'), samplePhoto('mug'));
  writeFileSync(join(folder, 'grey.png'), makeEmptyPicture());
  writeFileSync(join(folder, 'list.csv'), LIST);
  writeFileSync(join(folder, '.DS_Store'), 'x');
  return folder;
}

for (const width of [1440, 390]) {
  test(`a folder with a list becomes an archive, and what did not work is exchanged, at ${width} px`, async ({
    page,
  }) => {
    const size = { width, height: 844 };
    await page.setViewportSize(size);
    await makeSeller(page, 'basic');

    await test.step('from the menu to a new catalogue', async () => {
      await page.goto('/dashboard/history');
      if (width < 768) await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('link', { name: 'Catalogue' }).click();
      await expect(page.getByText('No catalogue yet')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.getByRole('link', { name: 'New catalogue' }).click();
      await expect(page.getByRole('heading', { name: 'New catalogue' })).toBeFocused();
    });

    await test.step('the folder is matched with its list, and what is wrong is said by line', async () => {
      await page.getByLabel('Folder').setInputFiles(makeFolder());
      await expect(page.getByRole('heading', { name: '6 photos' })).toBeVisible();
      const list = page.getByRole('region', { name: 'List' });
      await expect(list).toContainText('7 lines, 6 with a photo');
      await expect(list).toContainText('Line 5: The SKU M-03 is already in line 4.');
      await expect(list).toContainText('Line 8: There is no photo “lamp.jpg”.');
      await expect(page.getByLabel('SKU of dropper.jpg')).toHaveValue('M-02');
      await page.getByRole('radio', { name: /^Remover Background/ }).check();
      await expect(page.getByText('handbag.jpg has this SKU, too.')).toBeVisible();
      const start = page.getByRole('button', { name: 'Start, 6 credits' });
      await expect(start).toHaveAttribute('aria-disabled', 'true');
      await page.getByLabel('SKU of teddy.jpg').fill('M-04');
      await expect(start).not.toHaveAttribute('aria-disabled', 'true');
      await expect(page.getByText('6 photos, 6 credits, you have 10')).toBeVisible();
      await expectAccessible(page, `new catalogue at ${width}`, [width]);
      await expectNoSidewaysScroll(page, 'new catalogue', [320, width]);
      await page.setViewportSize(size);
    });

    await test.step('it survives a reload before it begins, and begins', async () => {
      await page.getByLabel('Name').fill('Autumn mugs');
      await page.getByRole('checkbox', { name: 'Instagram, square' }).check();
      await page.reload();
      await expect(page.getByLabel('SKU of teddy.jpg')).toHaveValue('M-04');
      await page.getByRole('button', { name: 'Start, 6 credits' }).click();
      await expect(page).toHaveURL(/\/dashboard\/catalogue\/run_/);
      await expect(page.getByRole('heading', { name: 'Autumn mugs' })).toBeVisible();
    });

    await test.step('the grid fills; the photo without a product says why', async () => {
      await expect(counts(page)).toHaveText('5 of 6 ready, 1 failed', { timeout: 2 * ENGINE_MS });
      await expect(toast(page, '“Autumn mugs” is done: 5 of 6 are ready.')).toBeVisible();
      await expect(page.getByRole('link', { name: 'M-01, view large' })).toBeVisible();
      await expect(failed(page)).toContainText('grey.png');
      await expect(failed(page).getByRole('button', { name: 'Mark it: grey.png' })).toBeVisible();
      await expect(page.getByRole('button', { name: /^Try/ }), 'it would be refused again').toHaveCount(0);
      expect(await readCredits(page)).toBe(5);
      await expectAccessible(page, `catalogue at ${width}`, [width]);
      await expectNoSidewaysScroll(page, 'catalogue', [320, width]);
      await page.setViewportSize(size);
    });

    await test.step('another photo takes its place', async () => {
      await failed(page).getByLabel('Other photo for grey.png').last().setInputFiles(samplePath('handbag'));
      await expect(counts(page)).toHaveText('All 6 pictures ready', { timeout: ENGINE_MS });
      await expect(failed(page)).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'M-05, view large' })).toBeVisible();
      expect(await readCredits(page)).toBe(4);
    });

    await test.step('the archive is one download, also in another tab', async () => {
      const tab = await page.context().newPage();
      await tab.setViewportSize(size);
      await tab.goto('/dashboard/catalogue');
      await tab.getByRole('link', { name: 'Autumn mugs' }).click();
      await expect(counts(tab)).toHaveText('All 6 pictures ready');
      const downloading = tab.waitForEvent('download');
      await tab.getByRole('link', { name: 'Download archive' }).click();
      const download = await downloading;
      expect(download.suggestedFilename()).toMatch(/\.zip$/);
      expect(await download.failure()).toBeNull();
      await tab.close();
    });
  });
}
