import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible, expectNoSidewaysScroll, QUICK_APPEARANCES } from '../support/accessible.ts';
import { countsOf as counts, failedOf as failed } from '../support/catalogue.ts';
import { ENGINE_MS, expect, test, toast } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';
import type { RunItem } from '@plinth/contract/runs';
import { makeEmptyPicture, smallPhoto } from '../support/pictures.ts';

const WIDE = { width: 1440, height: 844 };
const PHONE = { width: 390, height: 844 };
const LIST = `sku,file,prompt,asin,height_cm
M-01,mug.jpg,,B000123456,12.5
M-02,DROPPER,,b0,
M-03,candle.jpg,
M-03,teddy.jpg,
M-05,grey.png,
M-07,lamp.jpg,
`;

/** Makes a seller's folder: four good photos, one without a product, and a list with two mistakes. */
async function makeFolder(): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), 'plinth-catalogue-')));
  for (const name of ['mug', 'dropper', 'candle', 'teddy'])
    writeFileSync(join(folder, `${name}.jpg`), (await smallPhoto(name)).buffer);
  writeFileSync(join(folder, 'grey.png'), makeEmptyPicture());
  writeFileSync(join(folder, 'list.csv'), LIST);
  writeFileSync(join(folder, '.DS_Store'), 'x');
  return folder;
}

test('a folder with a list becomes an archive, and a failed photo is replaced', async ({ page }) => {
  await makeSeller(page, 'basic');

  await test.step('from the menu to a new catalogue', async () => {
    await page.setViewportSize(PHONE);
    await page.goto('/dashboard/history');
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await expect(page.getByText('No catalogue yet')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.setViewportSize(WIDE);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('link', { name: 'Catalogue' }).click();
    await page.getByRole('link', { name: 'New catalogue' }).click();
    await expect(page.getByRole('heading', { name: 'New catalogue' })).toBeFocused();
  });

  await test.step('the folder is matched with its list, and mistakes are reported by line', async () => {
    await page.getByLabel('Folder').setInputFiles(await makeFolder());
    await expect(page.getByRole('heading', { name: '5 photos' })).toBeVisible();
    const list = page.getByRole('region', { name: 'List' });
    await expect(list).toContainText('6 lines, 5 with a photo');
    await expect(list).toContainText('Line 3: “b0”: An ASIN has 10 capital letters and digits. It is left out.');
    await expect(list).toContainText('Line 5: The SKU M-03 is already in line 4.');
    await expect(list).toContainText('Line 7: There is no photo “lamp.jpg”.');
    await expect(page.getByLabel('SKU of dropper.jpg')).toHaveValue('M-02');
    await page.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'Remover Background, 1 credit' });
    await expect(page.getByText('candle.jpg has this SKU, too.')).toBeVisible();
    const start = page.getByRole('button', { name: 'Start, 5 credits' });
    await expect(start).toHaveAttribute('aria-disabled', 'true');
    await page.getByLabel('SKU of teddy.jpg').fill('M-04');
    await expect(start).not.toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByText('5 photos, 5 credits, you have 10')).toBeVisible();
    await expectNoSidewaysScroll(page, 'new catalogue');
    await expectAccessible(page, 'new catalogue', QUICK_APPEARANCES);
  });

  await test.step('it survives a reload before its start, and starts', async () => {
    await page.getByLabel('Name').fill('Autumn mugs');
    await page.locator('summary', { hasText: 'Files for shops' }).click();
    await page.getByRole('checkbox', { name: 'Transparent PNG' }).check();
    await page.reload();
    await expect(page.getByLabel('SKU of teddy.jpg')).toHaveValue('M-04');
    await expect(page.getByText('12.5 cm · B000123456')).toBeVisible();
    await page.getByRole('button', { name: 'Start, 5 credits' }).click();
    await expect(page).toHaveURL(/\/dashboard\/catalogue\/run_/);
    await expect(page.getByRole('heading', { name: 'Autumn mugs' })).toBeVisible();
  });

  await test.step('the grid fills, and the photo without a product shows why it failed', async () => {
    await expect(counts(page)).toHaveText('4 of 5 ready, 1 did not work', { timeout: 2 * ENGINE_MS });
    await expect(toast(page, 'is done'), 'this page says it already').toHaveCount(0);
    await expect(page.getByRole('link', { name: 'M-01, view large' })).toBeVisible();
    await expect(failed(page)).toContainText('grey.png');
    await expect(failed(page).getByRole('button', { name: 'Show us the product: grey.png' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Try/ }), 'it would be refused again').toHaveCount(0);
    const runId = new URL(page.url()).pathname.split('/').at(-1);
    const { items } = (await (await page.request.get(`/api/v1/runs/${runId}/items`)).json()) as { items: RunItem[] };
    expect(items.flatMap(({ sku, asin, heightCm }) => (asin === null ? [] : [[sku, asin, heightCm]]))).toEqual([
      ['M-01', 'B000123456', 12.5],
    ]);
    expect(await readCredits(page)).toBe(6);
    await expectNoSidewaysScroll(page, 'catalogue');
    await expectAccessible(page, 'catalogue', QUICK_APPEARANCES);
  });

  await test.step('its results are leafed through in the large view', async () => {
    await page.getByRole('link', { name: 'M-02, view large' }).click();
    const viewer = page.getByRole('dialog', { name: 'Remover Background' });
    await expect(viewer).toContainText('2 of 4');
    await page.keyboard.press('ArrowRight');
    await expect(viewer).toContainText('3 of 4');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: 'M-02, view large' })).toBeVisible();
  });

  await test.step('another photo takes its place', async () => {
    await failed(page)
      .getByLabel('Other photo for grey.png')
      .last()
      .setInputFiles(await smallPhoto('candle'));
    await expect(counts(page)).toHaveText('All 5 pictures ready', { timeout: ENGINE_MS });
    await expect(failed(page)).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'M-05, view large' })).toBeVisible();
    expect(await readCredits(page)).toBe(5);
  });

  await test.step('the archive is one download, also in another tab, as narrow as a phone', async () => {
    const tab = await page.context().newPage();
    await tab.setViewportSize(PHONE);
    await tab.goto('/dashboard/catalogue');
    await tab.getByRole('link', { name: 'Autumn mugs' }).click();
    await expect(counts(tab)).toHaveText('All 5 pictures ready');
    const downloading = tab.waitForEvent('download');
    await tab.getByRole('link', { name: 'Download archive' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    expect(await download.failure()).toBeNull();
    await tab.close();
  });
});
