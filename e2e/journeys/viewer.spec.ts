import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, findViolations } from '../support/accessible.ts';
import { ENGINE_MS, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { listMediaNames, makeSeller, type Seller, signIn, startGeneration } from '../support/makers.ts';
import { samplePhoto, smallPhoto } from '../support/pictures.ts';
import { type Fingers, moveUntil } from '../support/touch.ts';

const KB = 1000;
// Oldest first.
const MADE = [
  { tool: 'basic-image-to-video', sample: 'mug' },
  { tool: 'remover', sample: 'mug' },
  { tool: 'text-to-image', sample: 'candle', prompt: 'Wooden table, morning light' },
  { tool: 'remover', sample: 'teddy' },
];
const cards = (page: Page) => page.getByRole('main').getByRole('listitem');
const viewer = (page: Page) => page.getByRole('dialog');
const print = (page: Page) => viewer(page).getByRole('img', { name: /^Result: / });

/** The seller whose history several journeys of this file view, created by the first. They do not change it. */
let owner: Seller | undefined;

async function makeOwner(page: Page): Promise<Seller> {
  const seller = await makeSeller(page, 'standard');
  for (const [index, { tool, sample, prompt }] of MADE.entries()) {
    await startGeneration(page, tool, { image: samplePhoto(sample), ...(prompt !== undefined && { prompt }) });
    // Sequential, so that their order is known.
    await expect.poll(() => listMediaNames(page), { timeout: ENGINE_MS }).toHaveLength(index + 1);
  }
  return seller;
}

async function openHistory(page: Page): Promise<void> {
  owner ??= await makeOwner(page);
  await signIn(page, owner);
  await page.goto('/dashboard/history');
  await expect(cards(page)).toHaveCount(MADE.length);
}

async function widthOf(part: Locator): Promise<number> {
  return part.evaluate((element) => element.getBoundingClientRect().width);
}

test('a result is viewed large, pixel by pixel and beside its photo @slow', async ({ page }) => {
  await openHistory(page);

  await test.step('opened by Enter, it fills the window at its own URL', async () => {
    const link = cards(page)
      .filter({ hasText: 'Wooden table' })
      .getByRole('link', { name: /view large$/ });
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/history\/med_/);
    await expect(print(page)).toBeVisible();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const readBox = async () => {
        const box = await viewer(page).boundingBox();
        return [box?.x, box?.y, box?.width, box?.height];
      };
      await expect.poll(readBox).toEqual([0, 0, width, 844]);
      await expect.poll(() => widthOf(print(page)), 'the print follows the window').toBeLessThanOrEqual(width);
    }
    await expectAccessible(page, 'viewer');
  });

  await test.step('a download is said in the head beside the cross, on a phone below it: no title is covered', async () => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const downloading = page.waitForEvent('download');
      await viewer(page).getByRole('button', { name: 'Download' }).click();
      await downloading;
      const places = [toast(page, 'Download started!'), viewer(page).getByRole('button', { name: 'Close' })];
      const head = viewer(page).locator('header');
      const isApart = async () => {
        const [said, cross, top] = await Promise.all([...places, head].map((place) => place.boundingBox()));
        if (!said || !cross || !top) return false;
        const end = top.y + top.height;
        return width === 390 ? said.y >= end : said.x + said.width <= cross.x && said.y + said.height <= end;
      };
      await expect.poll(isApart).toBe(true);
    }
  });

  await test.step('it is zoomed by keys and wheel, and the photo shows while B is held', async () => {
    await viewer(page).getByRole('group', { name: 'Picture' }).focus();
    const whole = await widthOf(print(page));
    await page.keyboard.press('1');
    await page.keyboard.press('+');
    await expect.poll(() => widthOf(print(page))).toBeGreaterThan(whole);
    await page.keyboard.press('0');
    await expect.poll(() => widthOf(print(page))).toBeCloseTo(whole, 0);
    await page.mouse.move(720, 400);
    await page.mouse.wheel(0, -600);
    await expect.poll(() => widthOf(print(page))).toBeGreaterThan(whole);
    await page.keyboard.press('0');
    await page.keyboard.down('b');
    await expect(viewer(page).getByRole('img', { name: 'Your photo' })).toBeVisible();
    await page.keyboard.up('b');
    await expect(viewer(page).getByRole('img', { name: 'Your photo' })).toHaveCount(0);
  });

  await test.step('the next is a cut-out, shown on any colour', async () => {
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByText('3 of 4')).toBeVisible();
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

  await test.step('it survives a reload; Esc and Back close it', async () => {
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

test('the large view opens from the stage, and Back returns to the unchanged stage @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  await stage(page)
    .getByRole('img', { name: /^Result: / })
    .click();
  await expect(print(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/dashboard/remover');
  await expect(stage(page).getByRole('link', { name: 'View large' })).toBeFocused();
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

test('the history loads little, is labelled, fits every window, and downloads as one file @slow', async ({
  page,
  browser,
}) => {
  await openHistory(page);
  await test.step('accessible and never wider than the window', async () => {
    await expect(page.getByRole('button', { name: /^Play Basic video, / })).toBeVisible();
    await expectNoSidewaysScroll(page, 'history');
    await expectAccessible(page, 'history');
    await page.setViewportSize({ width: 768, height: 900 });
    const [title, all] = await Promise.all([
      page.getByRole('heading', { level: 1 }).boundingBox(),
      page.getByRole('button', { name: 'Download all' }).boundingBox(),
    ]);
    expect(all?.x, '"Download all" stands right of the title').toBeGreaterThan((title?.x ?? 0) + (title?.width ?? 0));
    await page.setViewportSize({ width: 1440, height: 900 });
    const more = page.getByRole('button', { name: /^More actions/ }).first();
    await more.click();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    expect(await findViolations(page), 'history, menu open').toEqual([]);
    await page.keyboard.press('Escape');
  });
  await test.step('found by tool and by words', async () => {
    await page.getByRole('button', { name: 'Remover Background', exact: true }).click();
    await expect(cards(page)).toHaveCount(2);
    await page.getByRole('button', { name: 'Everything' }).click();
    await page.getByRole('searchbox').fill('table');
    await expect(cards(page)).toHaveCount(1);
    await page.getByRole('searchbox').fill('');
  });
  await test.step('two of them as a ZIP', async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(2).check();
    await expectAccessible(page, 'history, choosing');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download ZIP' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^plinth-history-\d{4}-\d\d-\d\d\.zip$/);
    await expect(toast(page, 'Download started!')).toBeVisible();
  });
  const state = await page.context().storageState();
  for (const { width, density, limit } of [
    { width: 1440, density: 1, limit: 44 * MADE.length },
    { width: 390, density: 2, limit: 27 * MADE.length },
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
    await expect(cards(fresh)).toHaveCount(MADE.length);
    for (let index = 0; index < MADE.length; index += 1) await cards(fresh).nth(index).scrollIntoViewIfNeeded();
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

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the picture fills the screen, and its actions appear on a tap @slow', async ({ page }) => {
    await openHistory(page);
    await cards(page).first().getByRole('link').first().tap();
    await expect(print(page)).toBeVisible();
    const foot = viewer(page).locator('.viewer-foot');
    const next = viewer(page).getByRole('button', { name: 'Next steps' });
    await expect(next).toHaveAttribute('aria-expanded', 'false');
    expect((await foot.boundingBox())!.height).toBeLessThan(844 * 0.16);
    await next.tap();
    await expect(next).toHaveAttribute('aria-expanded', 'true');
    for (const name of ['Export', /^Fix it/, 'Use this cut-out in…', /^Not usable/])
      await expect(viewer(page).getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await next.tap();
    await expect(viewer(page).getByRole('button', { name: 'Export' })).toBeHidden();
    await next.tap();
    // Last, because it leaves the window wide.
    await expectAccessible(page, 'viewer on a phone, all actions');
  });

  test('two fingers make a result larger, one moves it, and a swipe leads to the next @slow', async ({ page }) => {
    await openHistory(page);
    await cards(page).first().getByRole('link').first().tap();
    await expect(print(page)).toBeVisible();
    const first = page.url();
    const screen = await page.context().newCDPSession(page);
    const readBox = async () => (await print(page).boundingBox())!;

    const before = await readBox();
    const { x, y } = { x: before.x + before.width / 2, y: before.y + before.height / 2 };
    const expectWidth = async (least: number, most: number) => {
      const isWithin = async () => {
        const { width } = await readBox();
        return width > least && width < most;
      };
      await expect.poll(isWithin, { timeout: 2000 }).toBe(true);
    };

    const apart = [
      { from: [x - 40, y], to: [x - 140, y] },
      { from: [x + 40, y], to: [x + 140, y] },
    ] satisfies Fingers;
    await moveUntil(screen, apart, () => expectWidth(before.width * 2, Infinity));
    const large = await readBox();
    await moveUntil(screen, [{ from: [x, y], to: [x - 80, y - 20] }], () =>
      expect.poll(async () => (await readBox()).x, { timeout: 2000 }).toBeLessThan(large.x - 40),
    );
    expect(page.url()).toBe(first);

    const together = apart.map(({ from, to }) => ({ from: to, to: from }));
    await moveUntil(screen, together, () => expectWidth(0, before.width * 1.1));
    await moveUntil(screen, [{ from: [320, y], to: [60, y] }], () =>
      expect(page).not.toHaveURL(first, { timeout: 2000 }),
    );
    await expect(print(page)).toBeVisible();
    await moveUntil(screen, [{ from: [60, y], to: [320, y] }], () => expect(page).toHaveURL(first, { timeout: 2000 }));
  });
});
