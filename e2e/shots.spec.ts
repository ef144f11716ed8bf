import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { addPhotos, countsOf } from './support/catalogue.ts';
import {
  ENGINE_MS,
  errorBox,
  expect,
  expectResult,
  disablePreview,
  productUrl,
  stage,
  test,
} from './support/journey.ts';
import { makeSeller, startGeneration } from './support/makers.ts';
import { makeEmptyPicture, samplePath, samplePhoto, smallPhoto } from './support/pictures.ts';

// Not a test of behaviour: screenshots of every screen and state, in three widths and two themes, for human review.
const FOLDER = join(import.meta.dirname, 'shots');
const PHONE = { width: 390, height: 844 };
const SIZES = [{ width: 1440, height: 900 }, { width: 768, height: 1024 }, PHONE];
const DESK_AND_PHONE = [SIZES[0]!, PHONE];
const names: string[] = [];

test.beforeAll(() => void mkdirSync(FOLDER, { recursive: true }));
test.afterAll(writeIndex);

test('the public screens', async ({ page, expected }) => {
  expected.push(/status of 401 .*\/auth\/sign-in$/, /status of 404/);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await shoot(page, 'landing', true);
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible();
  await shoot(page, 'landing-menu', false, [PHONE]);
  await page.goto('/privacy');
  await shoot(page, 'privacy', true);
  await page.goto('/terms');
  await shoot(page, 'terms', true);
  await page.goto('/status');
  await expect(page.getByText('Everything is up.')).toBeVisible();
  await shoot(page, 'status', true);
  await page.goto('/login');
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await shoot(page, 'login');
  await page.getByLabel('Email', { exact: true }).fill('ann@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not-my-password');
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(errorBox(page)).toBeVisible();
  await shoot(page, 'login-wrong');
  await page.getByRole('group', { name: 'Mode' }).getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
  await shoot(page, 'sign-up');
  await page.goto('/auth/google/start');
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await shoot(page, 'local-google');
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'There is nothing on this plinth.' })).toBeVisible();
  await shoot(page, 'not-found');
});

test('an account without anything', async ({ page }) => {
  await makeSeller(page);
  await page.goto('/dashboard/history');
  await expect(page.getByText('No media found')).toBeVisible();
  await shoot(page, 'history-empty');
  await page.goto('/dashboard/credits?success=false');
  await expect(errorBox(page)).toBeVisible();
  await shoot(page, 'credits-cancelled', true);
  await page.getByRole('button', { name: 'Buy Standard' }).click();
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeVisible();
  await shoot(page, 'sandbox-checkout');
  await page.goto('/dashboard/change-password');
  await page.getByLabel('New Password', { exact: true }).fill('long-enough');
  await page.getByRole('button', { name: 'Update Password' }).click();
  await expect(errorBox(page)).toBeVisible();
  await shoot(page, 'change-password');
  await page.goto('/dashboard/account');
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await shoot(page, 'account');
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Your data' }).click();
  await page.getByRole('button', { name: 'Delete account…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByRole('alertdialog').locator('.error')).toBeVisible();
  await shoot(page, 'account-deletion');
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(samplePath('mug'));
  await shoot(page, 'tool-one-to-go');
});

test('the tools', async ({ page, context }) => {
  await makeSeller(page, 'standard', 'ann@example.com');
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByText('Built-in engine')).toBeVisible();
  await shoot(page, 'tool-idle');
  const pdf = { name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') };
  await page.getByLabel('Product image Required').setInputFiles(pdf);
  await shoot(page, 'tool-file-refused');
  await page.getByLabel('Product image Required').setInputFiles(samplePath('mug'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('Stone block, late sun');
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  await shoot(page, 'tool-done');
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await shoot(page, 'tool-result');

  const image = samplePhoto('dropper');
  for (const prompt of ['on a shelf', 'on a rock', 'on sand', 'on linen', 'on marble', 'in a garden', 'on a table']) {
    await startGeneration(page, 'text-to-image', { image, prompt });
  }
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(samplePath('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('Removing background...')).toBeVisible();
  await shoot(page, 'tool-running');
  const history = await context.newPage();
  await history.goto('/dashboard/history');
  await expect(history.getByRole('main').getByRole('listitem').first()).toBeVisible();
  await shoot(history, 'history-running');
  await history.close();
  await expectResult(page);
  await shoot(page, 'remover-result', true);

  await page.getByRole('button', { name: /^Remove teddy/ }).click();
  const empty = { name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture() };
  await page.getByLabel('Image Required').setInputFiles(empty);
  await expect(page.getByText('Which thing is your product?')).toBeVisible();
  await shoot(page, 'tool-asks', true);
  await page.getByRole('button', { name: /^Remove wall/ }).click();
  await disablePreview(page);
  await page.getByLabel('Image Required').setInputFiles(empty);
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('No picture this time')).toBeVisible({ timeout: 30_000 });
  await shoot(page, 'tool-failed', true);
});

test('history, credits and menus', async ({ page }) => {
  await makeSeller(page, 'standard', 'ben@example.com');
  for (const [sample, prompt] of [
    ['mug', 'Wooden table, morning light'],
    ['dropper', 'Stone block, late sun'],
    ['candle', 'Plain studio, soft shadow'],
    ['teddy', 'On a wooden shelf, warm light'],
  ] as const) {
    await startGeneration(page, 'text-to-image', { image: samplePhoto(sample), prompt });
  }
  await startGeneration(page, 'remover', { image: samplePhoto('mug') });
  await startGeneration(page, 'remover', { image: samplePhoto('dropper') });
  await page.goto('/dashboard/history');
  const downloads = page.getByRole('main').getByRole('button', { name: /^Download Product image/ });
  await expect(downloads).toHaveCount(6, { timeout: 60_000 });
  await shoot(page, 'history', true);
  await page
    .getByRole('button', { name: /^More actions/ })
    .first()
    .click();
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
  await shoot(page, 'history-menu');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.goto('/dashboard/credits');
  await expect(page.getByRole('main').getByRole('row').nth(3)).toBeVisible();
  await shoot(page, 'credits', true);
  await page.goto('/success');
  await expect(page.getByText(/^Balance: /)).toBeVisible();
  await shoot(page, 'success');
  await page.setViewportSize(SIZES[0]!);
  await page.goto('/dashboard/history');
  await page.getByRole('button', { name: /^Account: / }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible();
  await shoot(page, 'account-menu', false, SIZES.slice(0, 1));
  await page.setViewportSize(PHONE);
  await page.goto('/dashboard/history');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await shoot(page, 'phone-menu', false, [PHONE]);
});

test('looking, finding, exporting and checking', async ({ page }) => {
  await makeSeller(page, 'standard', 'cleo@example.com');
  for (const sample of ['mug', 'teddy', 'dropper'])
    await startGeneration(page, 'remover', { image: samplePhoto(sample) });
  const prompt = 'Wooden table, morning light';
  for (const sample of ['teddy', 'mug'])
    await startGeneration(page, 'text-to-image', { image: samplePhoto(sample), prompt });
  await page.goto('/dashboard/history');
  const cards = page.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(5);
  await expect(cards.locator('.print.waiting')).toHaveCount(0, { timeout: ENGINE_MS });
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  for (const card of [cards.nth(0), cards.nth(2)]) await card.getByRole('checkbox').check();
  await shoot(page, 'history-selection');
  await page.goto('/dashboard/history');
  await page.getByRole('searchbox').fill('wooden table');
  await expect(cards).toHaveCount(2);
  await shoot(page, 'history-filtered', false, DESK_AND_PHONE);
  await page.goto('/dashboard/history');
  await cards.last().getByRole('link').first().click();
  await expect(page.getByRole('dialog').getByRole('img', { name: /^Result: / })).toBeVisible();
  await shoot(page, 'viewer');
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const previews = page.getByRole('dialog', { name: 'Export for marketplaces' }).locator('img');
  await expect.poll(() => countDrawn(previews), { timeout: ENGINE_MS }).toBeGreaterThan(3);
  await shoot(page, 'export');
  await page.goto('/dashboard/check');
  await shoot(page, 'check-empty');
  await page.locator('.drop-well input').setInputFiles(samplePath('mug'));
  await expect(page.getByRole('heading', { name: /^Ready for/ })).toBeVisible({ timeout: ENGINE_MS });
  await shoot(page, 'check', true);
});

test('a catalogue', async ({ page }) => {
  await makeSeller(page, 'basic', 'dora@example.com');
  await page.goto('/dashboard/catalogue');
  await expect(page.getByText('No catalogue yet')).toBeVisible();
  await shoot(page, 'catalogue-empty', false, DESK_AND_PHONE);
  const small = { ...(await smallPhoto('teddy', 600)), name: 'old.jpg' };
  const empty = { name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture() };
  const list = 'sku,file\nM-01,mug.jpg\nM-02,dropper.jpg\nM-02,candle.jpg\nM-04,old.jpg\nM-05,lamp.jpg\n';
  const large = await Promise.all(['mug', 'dropper', 'candle'].map((name) => smallPhoto(name, 1200)));
  await addPhotos(page, [...large, small, empty]);
  await page
    .getByLabel('Photos and list')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) });
  await page.getByLabel('Name').fill('Autumn shelf');
  await page.locator('summary', { hasText: 'Files for shops' }).click();
  for (const name of ['Etsy', 'Walmart']) await page.getByRole('checkbox', { name }).check();
  await expect(page.getByText('There is no photo “lamp.jpg”.')).toBeVisible();
  await shoot(page, 'catalogue-price', true, DESK_AND_PHONE);
  await page.getByLabel('SKU of candle.jpg').fill('M-03');
  await page.getByRole('button', { name: 'Start, 5 credits' }).click();
  await expect(countsOf(page)).toHaveText(/^[1-4] of 5 ready/, { timeout: ENGINE_MS });
  await shoot(page, 'catalogue-working', true, DESK_AND_PHONE);
  await expect(countsOf(page)).toHaveText(/^4 of 5 ready, .*, 1 did not work$/, { timeout: ENGINE_MS });
  await page.mouse.move(0, 0);
  await shoot(page, 'catalogue-done', true, DESK_AND_PHONE);
  await page.goto('/dashboard/catalogue');
  await expect(page.getByText('Autumn shelf')).toBeVisible();
  await shoot(page, 'catalogue-list', false, DESK_AND_PHONE);
});

test('the versions of one photo', async ({ page }) => {
  await makeSeller(page, 'basic', 'emil@example.com');
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(samplePath('mug'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('on a white background');
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  const versions = stage(page).getByRole('group', { name: 'Versions' }).getByRole('button');
  for (const count of [2, 3]) {
    await page.getByRole('button', { name: /^Make again, free/ }).click();
    await expect(versions).toHaveCount(count, { timeout: ENGINE_MS });
  }
  await expectResult(page);
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await shoot(page, 'tool-versions', true, DESK_AND_PHONE);
});

test('the try-out of the start page', async ({ page, context, tolerated }) => {
  tolerated.push(/ERR_INTERNET_DISCONNECTED|Failed to fetch|failed/i);
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  const chosen = page.getByLabel('Your photo');
  const here = page.locator('#try-here');
  const refusal = page.locator('#try-refusal');
  await context.setOffline(true);
  await chosen.setInputFiles(samplePath('mug'));
  await expect(page.getByText(/^What cuts out your photo could not be/).filter({ visible: true })).toBeVisible();
  await here.scrollIntoViewIfNeeded();
  await shoot(page, 'try-unfetched', false, DESK_AND_PHONE);
  await context.setOffline(false);
  await page.reload();
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/*.onnx', async (route) => {
    await held;
    await route.continue();
  });
  await chosen.setInputFiles(samplePath('mug'));
  await expect(here.getByRole('progressbar').or(here.getByRole('status')).first()).toBeVisible();
  await here.scrollIntoViewIfNeeded();
  await shoot(page, 'try-working', false, DESK_AND_PHONE);
  go();
  await expect(here.getByRole('status')).toHaveText('Your product is cut out.', { timeout: ENGINE_MS });
  await here.scrollIntoViewIfNeeded();
  await shoot(page, 'try-done', false, DESK_AND_PHONE);
  await page.reload();
  await chosen.setInputFiles({ name: 'note.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expect(refusal).toBeVisible();
  await here.scrollIntoViewIfNeeded();
  await shoot(page, 'try-refused', false, DESK_AND_PHONE);
});

async function shoot(page: Page, name: string, fullPage = false, sizes = SIZES): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.mouse.move(0, 0);
    if (size.width < 768 && page.url().includes('/dashboard/')) await expect(page.locator('.tab-bar')).toBeVisible();
    if (fullPage) await growToContent(page, size);
    await waitForPictures(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const file = `${name}-${size.width}-${colorScheme}.png`;
      await page.screenshot({ path: join(FOLDER, file), animations: 'disabled' });
      names.push(file);
    }
  }
  await page.setViewportSize(sizes[0]!);
}

/** Makes the window as high as its page, so that sticky bars are at their right place. */
async function growToContent(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, content) });
}

/**
 * Waits for the visible pictures; others load lazily. Each poll lists them again, because the decoding of a picture
 * that was removed during its fetch never ends.
 */
async function waitForPictures(page: Page): Promise<void> {
  const areDrawn = () =>
    page.evaluate(async () => {
      const all = [...document.images].filter((image) => image.checkVisibility());
      if (all.length === 0) return true;
      const seen = await new Promise<HTMLImageElement[]>((tell) => {
        const watch = new IntersectionObserver((entries) =>
          tell(all.filter((image) => entries.some(({ target, isIntersecting }) => isIntersecting && target === image))),
        );
        for (const image of all) watch.observe(image);
      });
      if (!seen.every((image) => image.complete)) return false;
      await Promise.allSettled(seen.map((image) => image.decode()));
      return true;
    });
  await expect.poll(areDrawn).toBe(true);
}

function countDrawn(pictures: Locator): Promise<number> {
  return pictures.evaluateAll((all: HTMLImageElement[]) => all.filter((one) => one.naturalWidth > 0).length);
}

function writeIndex(): void {
  const figures = names.map(
    (file) =>
      `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${file}</figcaption></figure>`,
  );
  writeFileSync(
    join(FOLDER, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Plinth, every screen</title>
<style>body{margin:20px;font:14px system-ui;display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:20px}
figure{margin:0}img{width:100%;border:1px solid #ccc}</style>
${figures.join('\n')}
<!-- made with ${productUrl()} --></html>
`,
  );
}
