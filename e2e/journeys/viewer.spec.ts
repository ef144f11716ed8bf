import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../support/accessible.ts';
import { ENGINE_MS, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { makeSeller, startGeneration } from '../support/makers.ts';
import { samplePath, samplePhoto } from '../support/pictures.ts';

const KB = 1000;
const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const viewer = (page: Page) => page.getByRole('dialog');
const print = (page: Page) => viewer(page).getByRole('img', { name: /^Result: / });

/** Makes results one after another and waits until all stand in the history. */
async function makeHistory(page: Page, wanted: { tool: string; sample: string; prompt?: string }[]): Promise<void> {
  for (const { tool, sample, prompt } of wanted)
    await startGeneration(page, tool, { image: samplePhoto(sample), ...(prompt !== undefined && { prompt }) });
  await page.goto('/dashboard/history');
  await expect(cards(page)).toHaveCount(wanted.length);
  await expect(cards(page).locator('.print.waiting')).toHaveCount(0, { timeout: 2 * ENGINE_MS });
}

async function widthOf(part: Locator): Promise<number> {
  return part.evaluate((element) => element.getBoundingClientRect().width);
}

for (const width of [1440, 390]) {
  test(`a result is looked at large, pixel by pixel and beside its photo, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await makeSeller(page, 'basic');
    await makeHistory(page, [
      { tool: 'remover', sample: 'mug' },
      { tool: 'text-to-image', sample: 'handbag', prompt: 'Wooden table, morning light' },
    ]);

    await test.step('opened by Enter, it fills the window at an address of its own', async () => {
      const link = cards(page)
        .filter({ hasText: 'Wooden table' })
        .getByRole('link', { name: /view large$/ });
      await link.focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(/\/dashboard\/history\/med_/);
      await expect(print(page)).toBeVisible();
      const box = await viewer(page).boundingBox();
      expect([box?.x, box?.y, box?.width, box?.height]).toEqual([0, 0, width, 844]);
      await expectAccessible(page, `viewer at ${width}`, [width]);
      await page.setViewportSize({ width, height: 844 });
      await expect.poll(() => widthOf(print(page)), 'the print follows the window').toBeLessThanOrEqual(width);
    });

    await test.step('it is zoomed by keys and wheel, and the photo shows while B is held', async () => {
      await viewer(page).getByRole('group', { name: 'Picture' }).focus();
      const whole = await widthOf(print(page));
      await page.keyboard.press('1');
      await page.keyboard.press('+');
      await expect.poll(() => widthOf(print(page))).toBeGreaterThan(whole);
      await page.keyboard.press('0');
      await expect.poll(() => widthOf(print(page))).toBeCloseTo(whole, 0);
      await page.mouse.move(width / 2, 400);
      await page.mouse.wheel(0, -600);
      await expect.poll(() => widthOf(print(page))).toBeGreaterThan(whole);
      await page.keyboard.press('0');
      await page.keyboard.down('b');
      await expect(viewer(page).getByRole('img', { name: 'Your photo' })).toBeVisible();
      await page.keyboard.up('b');
      await expect(viewer(page).getByRole('img', { name: 'Your photo' })).toHaveCount(0);
    });

    await test.step('the next is a cut-out, which stands on any colour', async () => {
      await page.keyboard.press('ArrowRight');
      await expect(viewer(page).getByText('2 of 2')).toBeVisible();
      await expect(print(page)).toBeVisible();
      await viewer(page).getByRole('button', { name: 'Black' }).click();
      const ground = () =>
        viewer(page)
          .locator('.viewer-print')
          .evaluate((one) => getComputedStyle(one).backgroundColor);
      expect(await ground()).toBe('rgb(0, 0, 0)');
      await viewer(page).getByLabel('Any colour').fill('#3366cc');
      expect(await ground()).toBe('rgb(51, 102, 204)');
    });

    await test.step('it survives a reload; Esc and the way back close it', async () => {
      await page.reload();
      await expect(print(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(viewer(page)).toHaveCount(0);
      await expect(page).toHaveURL('/dashboard/history');
      await cards(page)
        .first()
        .getByRole('link', { name: /view large$/ })
        .click();
      await expect(viewer(page)).toBeVisible();
      await page.goBack();
      await expect(viewer(page)).toHaveCount(0);
    });
  });
}

test('from the stage the large view opens, and the way back leads to the stage as it was', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(samplePath('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  await stage(page)
    .getByRole('img', { name: /^Result: / })
    .click();
  await expect(print(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/dashboard/remover');
  await expectResult(page);
  await stage(page).focus();
  await page.keyboard.press('Enter');
  await expect(print(page)).toBeVisible();
  await viewer(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page).toHaveURL('/dashboard/history');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards(page)).toHaveCount(1);
});

test('the history of nine is light, names what it shows, and comes as one file', async ({ page, browser }) => {
  const scene = (sample: string, prompt: string) => ({ tool: 'text-to-image', sample, prompt });
  await makeSeller(page, 'standard');
  await makeHistory(page, [
    scene('mug', 'Stone block, late sun'),
    scene('handbag', 'Wooden table, morning light'),
    scene('dropper', 'Plain studio, soft shadow'),
    scene('mug', 'marble table'),
    { tool: 'remover', sample: 'mug' },
    { tool: 'remover', sample: 'teddy' },
    { tool: 'remover', sample: 'dropper' },
    { tool: 'remover', sample: 'handbag' },
    { tool: 'basic-image-to-video', sample: 'mug' },
  ]);
  await test.step('found by tool and by words', async () => {
    await page.getByRole('button', { name: /^Remover Background \d/ }).click();
    await expect(cards(page)).toHaveCount(4);
    await page.getByRole('button', { name: 'Everything' }).click();
    await page.getByRole('searchbox').fill('table');
    await expect(cards(page)).toHaveCount(2);
    await page.getByRole('searchbox').fill('');
  });
  await test.step('two of them as a ZIP', async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(3).check();
    await expectAccessible(page, 'history, choosing');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download ZIP' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^plinth-history-\d{4}-\d\d-\d\d\.zip$/);
    await expect(toast(page, 'Download started!')).toBeVisible();
  });
  const state = await page.context().storageState();
  for (const { width, density, limit } of [
    { width: 1440, density: 1, limit: 400 },
    { width: 390, density: 2, limit: 250 },
  ]) {
    const context = await browser.newContext({
      storageState: state,
      viewport: { width, height: 900 },
      deviceScaleFactor: density,
    });
    const fresh = await context.newPage();
    const pictures: Promise<number>[] = [];
    fresh.on('response', (response) => {
      if (!/\/media\/.*\/(preview|content|before)/.test(response.url())) return;
      pictures.push(response.finished().then(async () => (await response.request().sizes()).responseBodySize));
    });
    await fresh.goto(new URL('/dashboard/history', page.url()).href);
    await expect(cards(fresh)).toHaveCount(9);
    for (let index = 0; index < 9; index += 1) await cards(fresh).nth(index).scrollIntoViewIfNeeded();
    const loaded = () =>
      cards(fresh)
        .locator('img')
        .evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0));
    await expect.poll(loaded).toBe(true);
    const bytes = (await Promise.all(pictures)).reduce((sum, one) => sum + one, 0);
    expect(bytes / KB, `KB of pictures at ${width} px`).toBeLessThanOrEqual(limit);
    expect(bytes / KB).toBeGreaterThan(20);
    await context.close();
  }
});
