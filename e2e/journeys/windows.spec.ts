import type { Locator, Page } from '@playwright/test';
import { ENGINE_MS, expect, expectResult, stage, test } from '../support/journey.ts';
import { makeSeller, startGeneration } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

const form = (page: Page) => page.locator('main form');
const generate = (page: Page) => form(page).getByRole('button', { name: /^Generate/ });

async function openTool(page: Page, toolId: string): Promise<void> {
  await page.goto(`/dashboard/${toolId}`);
  await expect(page.getByText('Built-in engine')).toBeVisible();
}

async function boxOf(part: Locator): Promise<{ top: number; bottom: number; left: number }> {
  return part.evaluate((element) => {
    const { top, bottom, left } = element.getBoundingClientRect();
    return { top, bottom, left };
  });
}

test('panel and stage end on one line, and the stage stays in view beside a long form @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await openTool(page, 'text-to-image');
  expect((await boxOf(stage(page))).bottom).toBeCloseTo((await boxOf(form(page))).bottom, 0);

  await openTool(page, 'dress-change');
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect.poll(async () => (await boxOf(stage(page))).top).toBeGreaterThanOrEqual(0);
  await page.setViewportSize({ width: 768, height: 900 });
  const lines = await generate(page)
    .getByText('(1 credit)', { exact: true })
    .evaluate((price) => new Set([...price.getClientRects()].map(({ top }) => top)).size);
  expect(lines, 'the price is not broken in two').toBe(1);

  await openTool(page, 'headshot-generator');
  const asideTop = (says: string) =>
    page
      .getByRole('radiogroup', { name: 'Target Model' })
      .getByText(says)
      .evaluate((aside) => {
        const range = document.createRange();
        range.selectNodeContents(aside.lastChild ?? aside);
        return range.getBoundingClientRect().top;
      });
  const before = await asideTop('Required');
  await page.getByRole('radio', { name: 'Red jacket, curls' }).check({ force: true });
  expect(await asideTop('Red jacket, curls” chosen'), 'the label stays on its line').toBeCloseTo(before, 0);
});

test('controls keep their place while a photo loads and is analysed @slow', async ({ page }) => {
  for (const late of ['**/samples/mug.jpg', '**/SubjectQuestion*.js']) {
    await page.route(late, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.continue();
    });
  }
  await makeSeller(page, 'basic');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await openTool(page, 'image-to-video');
    const suggestion = page.getByRole('button', { name: 'Slow turn to the left' });
    await page.getByRole('button', { name: 'Use the sample mug' }).click();
    await expect(page.getByText('Try a sample')).toHaveCount(0);
    const { top } = await boxOf(suggestion);
    await expect(page.locator('form svg.outline')).toBeVisible({ timeout: ENGINE_MS });
    await expect(page.getByRole('button', { name: 'Show us the product' })).toBeVisible();
    expect((await boxOf(suggestion)).top, `at ${width}`).toBeCloseTo(top, 0);
    await page.getByRole('button', { name: /^Remove mug/ }).click();
  }
});

test('no layout shift when a result arrives, nor when a tool is restored with its photo and result @slow', async ({
  page,
}) => {
  await page.addInitScript(() => {
    let shift = 0;
    const add = ({ value, hadRecentInput }: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => {
      if (hadRecentInput === false) shift += value ?? 0;
      document.documentElement.dataset['shift'] = String(shift);
    };
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: 'layout-shift', buffered: true });
  });
  const expectNoShift = async (when: string) => {
    const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0));
    expect(shift, when).toBeLessThan(0.02);
  };
  const expectStill = async (when: string) => {
    await expectResult(page);
    await expect(stage(page).getByRole('button', { name: /^Fix it/ })).toBeVisible();
    await expectNoShift(when);
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page, 'basic');
  await openTool(page, 'remover');
  await page.getByRole('button', { name: 'Use the sample teddy' }).click();
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectStill('made on a phone');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.reload();
    await expectStill(`loaded anew at ${width}`);
  }
  await stage(page).getByRole('button', { name: 'Export' }).click();
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'eBay' })).toBeVisible({ timeout: ENGINE_MS });
  await expectNoShift('in Export, once the picture is measured');
});

test('on a phone a running generation fills the stage, and small links are easy to tap @slow', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page, 'basic');
  await openTool(page, 'text-to-image');
  const link = await boxOf(page.getByRole('button', { name: /^See all/ }));
  expect(link.bottom - link.top).toBeGreaterThanOrEqual(44);
  await page.getByRole('button', { name: 'Use the sample mug' }).click();
  await page.getByRole('button', { name: 'Wooden table, morning light' }).click();
  let letGo = () => {};
  const held = new Promise<void>((done) => (letGo = done));
  await page.route('**/text-to-image/generations', async (route) => {
    await held;
    await route.continue();
  });
  await generate(page).click();
  const field = stage(page).locator('.stage-pic:has(.stage-card)');
  await expect(field).toBeVisible();
  expect((await boxOf(field)).bottom).toBeCloseTo((await boxOf(stage(page))).bottom, 0);
  letGo();
  await expectResult(page);
});

test('in a low window no bar covers the form @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.setViewportSize({ width: 640, height: 360 });
  await openTool(page, 'text-to-image');
  await page.getByRole('button', { name: 'Use the sample mug' }).click();
  await page.getByRole('textbox', { name: 'Scene description' }).fill('Stone block, late sun');
  await expect(generate(page)).toBeEnabled();
  await form(page).evaluate((panel) => panel.scrollIntoView());
  const isForm = (y: number) =>
    page.evaluate((at) => document.elementFromPoint(320, at)?.closest('main form') !== null, y);
  expect([await isForm(40), await isForm(355)]).toEqual([true, true]);

  // 320 x 256 is a window of 1280 x 1024 at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await page.getByRole('button', { name: 'Show us the product' }).click();
  const picture = page.getByRole('application', { name: 'Your photo, paint here' });
  await expect(picture).toBeVisible();
  const [{ top, bottom }, line] = [await boxOf(picture), await boxOf(page.locator('.marking-line'))];
  expect(bottom - top, 'the picture has room').toBeGreaterThan(200);
  expect(line.bottom, 'and lies below what is said of it').toBeLessThanOrEqual(top);
  await page.getByRole('button', { name: /^Cut this out/ }).scrollIntoViewIfNeeded();
  expect((await boxOf(page.getByRole('button', { name: /^Cut this out/ }))).bottom).toBeLessThanOrEqual(256);
});

test('on a phone held sideways the sidebar shows the entry of its screen @slow', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await makeSeller(page);
  const entry = page.getByRole('navigation').locator('[aria-current=page]');
  for (const path of ['change-password', 'remover', 'credits']) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(entry).toBeInViewport({ ratio: 1 });
  }
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Background' })).toBeVisible();
  await expect(entry).toBeInViewport({ ratio: 1 });
});

test('with text of twice the size a phone shows its tabs whole, and the large view can be closed @slow', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page, 'basic');
  const photo = await smallPhoto('teddy');
  await startGeneration(page, 'remover', { image: photo.buffer });
  await page.goto('/dashboard/history');
  const enlarge = () => void (document.documentElement.style.fontSize = '32px');
  await page.evaluate(enlarge);
  const tabs = page.locator('.tab-bar > *');
  await expect(tabs).toHaveCount(5);
  for (const tab of await tabs.all())
    expect(await tab.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  await page.locator('.opens-large').first().click({ timeout: 25_000 });
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

test('the tray of running generations covers no control @slow', async ({ page }) => {
  await makeSeller(page, 'standard');
  const tray = page.getByRole('region', { name: 'Running generations' });
  const photo = await smallPhoto('teddy');
  const expectFree = async (button: Locator, when: string) => {
    const hits = await button.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const corners = [left + 8, right - 8].flatMap((x) => [top + 8, bottom - 8].map((y) => [x, y] as const));
      return corners.map(([x, y]) => element.contains(document.elementFromPoint(x, y)));
    });
    expect(hits, when).toEqual([true, true, true, true]);
  };

  await openTool(page, 'remover');
  await page.getByLabel('Image Required').setInputFiles(photo);
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  await startGeneration(page, 'text-to-image', { image: photo.buffer, prompt: 'sand' });
  await page.setViewportSize({ width: 768, height: 1024 });
  await expect(tray).toBeVisible();
  const inFoot = stage(page).getByRole('button');
  await expect(stage(page).getByRole('button', { name: /^Not usable/ })).toBeVisible();
  for (const button of await inFoot.all()) await expectFree(button, await button.innerText());

  await openTool(page, 'text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(photo);
  await page.getByRole('textbox', { name: 'Scene description' }).fill('Stone block, late sun');
  await startGeneration(page, 'remover', { image: photo.buffer });
  await expect(tray).toBeVisible();
  await expectFree(generate(page), 'the button of a form');

  await page.goto('/dashboard/catalogue/new');
  await startGeneration(page, 'remover', { image: photo.buffer });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(tray).toBeVisible();
  await expectFree(page.getByRole('button', { name: /^Start/ }), 'the start of a catalogue');
});

test('with forced colours focus, disabled, enabled and selected controls are distinguishable @slow', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await makeSeller(page, 'basic');
  await openTool(page, 'text-to-image');
  const read = (part: Locator, property: string) =>
    part.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  const tools = page.getByRole('navigation', { name: 'Tools' }).getByRole('link');
  expect(await read(tools.nth(0), 'background-color')).not.toBe(await read(tools.nth(1), 'background-color'));
  expect(await read(page.getByRole('button', { name: 'Wooden table, morning light' }), 'border-top-style')).toBe(
    'solid',
  );

  const disabled = await read(generate(page), 'border-top-color');
  await page.getByRole('button', { name: 'Use the sample mug' }).click();
  await page.getByRole('textbox', { name: 'Scene description' }).fill('Stone block, late sun');
  await expect(generate(page)).toBeEnabled();
  expect(await read(generate(page), 'border-top-color')).not.toBe(disabled);

  await openTool(page, 'headshot-generator');
  await page.getByRole('radio', { name: 'Red jacket, curls' }).check({ force: true });
  const frames = form(page).locator('.models .frame');
  expect(await read(frames.nth(2), 'border-top-color')).not.toBe(await read(frames.nth(1), 'border-top-color'));
});
