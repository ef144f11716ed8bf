import type { Locator, Page } from '@playwright/test';
import { expectAccessible, OTHER_APPEARANCES, QUICK_APPEARANCES } from '../support/accessible.ts';
import { balance, ENGINE_MS, expect, expectResult, stage, test, toast, disablePreview } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { board, openEditor, paint, readAlpha } from '../support/painting.ts';
import { makeEmptyPicture, smallPhoto } from '../support/pictures.ts';
import { type Fingers, moveUntil } from '../support/touch.ts';

/** Places in the teddy's square picture: on its forehead, and high up beside it. */
const FOREHEAD = [0.52, 0.27] as const;
const WALL = [0.12, 0.3] as const;

async function cutOut(page: Page): Promise<void> {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  expect(await readAlpha(page, FOREHEAD)).toBeGreaterThan(0.9);
  expect(await readAlpha(page, WALL)).toBeLessThan(0.1);
}

/** Waits for the next result, which has another URL. */
async function expectNewResult(page: Page, before: string | null): Promise<void> {
  const picture = stage(page).getByRole('img', { name: /^Result: / });
  await expect(picture).toBeVisible({ timeout: ENGINE_MS });
  await expect(picture).not.toHaveAttribute('src', before ?? '', { timeout: ENGINE_MS });
  await expectResult(page);
}

const address = (page: Page) =>
  stage(page)
    .getByRole('img', { name: /^Result: / })
    .getAttribute('src');

test('a cut-out is corrected with the brush for free, as often as offered, and returned for its credit if unusable', async ({
  page,
}) => {
  await cutOut(page);
  await test.step('with the mouse', () => fixWithMouse(page));
  await test.step('returned in one tap', async () => {
    await giveBack(page);
    await expect(balance(page)).toHaveText(/10$/);
    await expectAccessible(page, 'a returned result', QUICK_APPEARANCES);
    await page.getByRole('link', { name: 'History' }).click();
    await expect(page.getByText('No media found')).toBeVisible();
    await page.goto('/dashboard/credits');
    await expect(page.getByRole('cell', { name: 'Returned: Remover Background' })).toBeVisible();
  });
});

test('a cut-out is fixed with the keyboard alone, and goes on to another tool, whose result is returned @slow', async ({
  page,
}) => {
  await cutOut(page);
  await test.step('with the keyboard alone', () => fixWithKeyboard(page));
  await test.step('to another tool without a new upload', () => takeOn(page));
  await test.step('returned in one tap', async () => {
    await expect(balance(page)).toHaveText(/8$/);
    await giveBack(page);
    await expect(balance(page)).toHaveText(/9$/);
    await expectAccessible(page, 'a returned result', OTHER_APPEARANCES);
  });
});

test('a photo without a product is shown with a box and a brush, and then cut out @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const empty = { name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture(400) };
  await disablePreview(page);
  await page.getByLabel('Image Required').setInputFiles(empty);
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('No picture this time')).toBeVisible({ timeout: ENGINE_MS });
  await expect(stage(page).getByText('1 credit returned.')).toBeVisible();
  await stage(page).getByRole('button', { name: 'Show us the product' }).click();
  const editor = await openEditor(page, 'Show us the product');
  await expect(editor.getByRole('button', { name: 'Box' })).toHaveAttribute('aria-pressed', 'true');
  // The lower right corner of the box is dragged in.
  await paint(page, editor, 1, [0.9, 0.9], [0.7, 0.7]);
  await expect(editor.getByRole('status')).toHaveText('Box from 10 to 70 % across and 10 to 70 % down');
  await board(editor).press('k');
  await paint(page, editor, 1, [0.3, 0.3], [0.5, 0.5], [0.3, 0.5]);
  await paint(page, editor, 1, [0.6, 0.2], [0.65, 0.25]);

  // A page closed during editing loses no stroke, not even the last.
  await page.reload();
  await expect(stage(page).getByText('No picture this time')).toBeVisible();
  await stage(page).getByRole('button', { name: 'Show us the product' }).click();
  const again = await openEditor(page, 'Show us the product');
  await expect(again.getByRole('button', { name: 'Undo' })).toBeEnabled();
  // In a window zoomed to 200 % the picture still has half of its height.
  const { width, height } = page.viewportSize()!;
  await page.setViewportSize({ width: width / 2, height: height / 2 });
  expect((await board(again).boundingBox())!.height).toBeGreaterThan(height / 4);
  await page.setViewportSize({ width, height });
  await again.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  for (const place of [
    [0.4, 0.4],
    [0.62, 0.22],
  ] as const)
    expect(await readAlpha(page, place)).toBeGreaterThanOrEqual(0.9);
  expect(await readAlpha(page, [0.8, 0.8])).toBe(0);
  await expect(balance(page)).toHaveText(/9$/);
});

test('on a phone a toast does not cover the title of a dialog that opens under it @slow', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  const said = toast(page, 'Background removed');
  const isBelow = async (title: Locator) => {
    const { y, height } = (await title.boundingBox())!;
    return (await said.boundingBox())!.y >= y + height;
  };
  await said.hover(); // It stays.
  await stage(page).getByRole('button', { name: 'Fix it' }).dispatchEvent('click');
  const editor = page.getByRole('dialog', { name: 'Fix it' });
  await expect(editor).toBeVisible();
  await expect.poll(() => isBelow(editor.getByRole('heading', { name: 'Fix it' }))).toBe(true);
});

test.describe('with fingers', () => {
  test.use({ hasTouch: true });

  test('one finger paints, two enlarge the photo and paint nothing @slow', async ({ page }) => {
    await makeSeller(page, 'basic');
    await page.goto('/dashboard/remover');
    await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
    await page.getByRole('button', { name: 'Show us the product' }).click({ timeout: ENGINE_MS });
    const editor = await openEditor(page, 'Show us the product');
    await editor.getByRole('button', { name: 'Keep' }).tap();
    const { x, y, width, height } = (await board(editor).boundingBox())!;
    const [middle, level] = [x + width / 2, y + height / 2];
    const screen = await page.context().newCDPSession(page);
    const apart: Fingers = [
      { from: [middle - 30, level], to: [middle - 90, level] },
      { from: [middle + 30, level], to: [middle + 90, level] },
    ];
    await moveUntil(screen, apart, async () => {
      await expect(editor.getByRole('button', { name: /^Zoom 100 %/ })).toHaveCount(0, { timeout: 500 });
    });
    await expect(editor.getByRole('status')).toHaveText('Keep brush');
    await moveUntil(screen, [{ from: [middle, level], to: [middle + 60, level + 20] }], async () => {
      await expect(editor.getByRole('status')).toHaveText('Kept', { timeout: 500 });
    });
  });
});

async function giveBack(page: Page): Promise<void> {
  await stage(page).getByRole('button', { name: 'Not usable? Get the credit back' }).click();
  await page.getByRole('menuitem', { name: 'The edges are wrong' }).click();
  await expect(stage(page).getByText('Result returned')).toBeVisible();
  await expect(stage(page).getByText('1 credit returned.')).toBeVisible();
}

async function fixWithMouse(page: Page): Promise<void> {
  const before = await address(page);
  await stage(page).getByRole('button', { name: 'Fix it' }).click();
  const editor = await openEditor(page, 'Fix it');
  const apply = editor.getByRole('button', { name: 'Apply, free' });
  await expect(apply).toBeDisabled();
  await paint(page, editor, 1, [0.1, 0.25], WALL);
  await editor.getByRole('button', { name: 'Remove' }).click();
  await paint(page, editor, 1, FOREHEAD, [0.56, 0.29]);
  await expect(apply).toBeEnabled();
  await editor.getByRole('button', { name: 'Undo' }).click();
  await editor.getByRole('button', { name: 'Undo' }).click();
  await expect(apply).toBeDisabled();
  await editor.getByRole('button', { name: 'Redo' }).click();
  await editor.getByRole('button', { name: 'Redo' }).click();
  await expectAccessible(page, 'the editor', QUICK_APPEARANCES);

  await editor.getByRole('button', { name: 'Close' }).click();
  await expect(stage(page).getByRole('button', { name: /^Fix it/ })).toBeFocused();
  await stage(page)
    .getByRole('button', { name: /^Fix it/ })
    .click();
  await openEditor(page, 'Fix it');
  await apply.click();
  await expectNewResult(page, before);
  expect(await readAlpha(page, FOREHEAD)).toBeLessThanOrEqual(0.1);
  expect(await readAlpha(page, WALL)).toBeGreaterThanOrEqual(0.9);
  await expect(balance(page)).toHaveText(/9$/);
  await expect(stage(page).getByRole('button', { name: 'Fix it' })).toBeVisible();
  const versions = stage(page).getByRole('group', { name: 'Versions' }).getByRole('button');
  await expect(versions).toHaveCount(2);
  await expect(versions.last(), 'what was there before stays in sight').toBeInViewport({ ratio: 0.9 });
}

/** Corrects by keyboard: keys move a cross, space paints, and a status announces each step. */
async function fixWithKeyboard(page: Page): Promise<void> {
  const before = await address(page);
  await stage(page)
    .getByRole('button', { name: /^Fix it/ })
    .focus();
  await page.keyboard.press('Enter');
  const editor = await openEditor(page, 'Fix it');
  const status = editor.getByRole('status');
  await page.keyboard.press('r');
  await expect(status).toHaveText('Remove brush');
  await page.keyboard.press(']');
  await expect(status).toHaveText('Brush size 46');
  for (let steps = 0; steps < 12; steps += 1) {
    const last = (await status.textContent()) ?? '';
    await page.keyboard.press('ArrowDown');
    await expect(status).not.toHaveText(last);
  }
  await expect(status).toHaveText(/^50 % across, \d+ % down, kept$/);
  const [, down] = /, (\d+) % down/.exec((await status.textContent()) ?? '') ?? [];
  await page.keyboard.down(' ');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.up(' ');
  await expect(status).toHaveText('Removed');
  await page.keyboard.press('+');
  await expect(editor.getByRole('button', { name: /^Zoom 125 %/ })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(status).toHaveText('Undone: Remove');
  await page.keyboard.press('Control+y');
  await expect(status).toHaveText('Done again: Remove');
  await expectAccessible(page, 'the editor', OTHER_APPEARANCES);
  await board(editor).focus();
  const apply = editor.getByRole('button', { name: 'Apply, free' });
  for (let presses = 0; presses < 20; presses += 1) {
    if (await apply.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(apply).toBeFocused();
  await page.keyboard.press('Enter');
  await expectNewResult(page, before);
  expect(await readAlpha(page, [0.5, Number(down) / 100])).toBeLessThanOrEqual(0.1);
}

async function takeOn(page: Page): Promise<void> {
  await stage(page).getByRole('button', { name: 'Use this cut-out in…' }).click();
  await page.getByRole('menuitem', { name: 'Background Customization' }).click();
  await expect(page).toHaveURL('/dashboard/text-to-image');
  await expect(page.getByText('from your history')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Your picture, removed-bg-/ })).toBeVisible();
  await page.getByRole('textbox', { name: 'Scene description' }).fill('Stone block, late sun');
  const sending = page.waitForRequest(/text-to-image\/generations$/);
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  const sent = (await sending).postDataBuffer();
  expect(sent!.byteLength).toBeLessThan(2000);
  await expectResult(page);
}
