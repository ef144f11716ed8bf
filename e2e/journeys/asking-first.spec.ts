import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { balance, ENGINE_MS, expect, expectResult, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { board, openEditor, paint, readAlpha } from '../support/painting.ts';
import { makeEmptyPicture, type Photo, samplePhoto, smallPhoto } from '../support/pictures.ts';

/** Makes a photo of two things side by side, either of which may be the product. */
async function twoThings(): Promise<Photo> {
  const side = 400;
  const halves = await Promise.all(
    (['mug', 'teddy'] as const).map(async (name, at) => ({
      input: await sharp(samplePhoto(name)).resize(side, side, { fit: 'cover' }).toBuffer(),
      left: at * side,
      top: 0,
    })),
  );
  const ground = { width: 2 * side, height: side, channels: 3, background: '#888' } as const;
  const buffer = await sharp({ create: ground }).composite(halves).jpeg().toBuffer();
  return { name: 'two.jpg', mimeType: 'image/jpeg', buffer };
}

const well = (page: Page) => page.getByLabel('Image Required');
const outline = (page: Page) => page.locator('form svg.outline');
const remove = (page: Page) => page.getByRole('button', { name: 'Remove Background, 1 credit' });

test('a clear product is not asked about, but can be changed', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await well(page).setInputFiles(await smallPhoto('teddy'));
  await expect(outline(page)).toBeVisible({ timeout: ENGINE_MS });
  await expect(page.getByRole('button', { name: 'Show us the product' })).toBeVisible();
  await expect(page.getByText(/^(Is this it|Which thing)/)).toHaveCount(0);
  await expect(balance(page)).toHaveText(/10$/);
});

test('an unclear product is asked about before payment, by keyboard, on a phone, also after a reload @slow', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await well(page).setInputFiles(await twoThings());
  await expect(page.getByText(/Is this it\?|Which thing is your product\?/)).toBeVisible({ timeout: ENGINE_MS });
  await expect(page.getByText('Say first what your product is.')).toBeVisible();
  await remove(page).click();
  const show = page.getByRole('button', { name: 'Show us the product' });
  await expect(page.getByRole('button', { name: 'Yes' }).or(show).first(), 'it would only be refused').toBeFocused();
  await expectAccessible(page, 'asking first');
  await expectNoSidewaysScroll(page, 'asking first');

  let requests = 0;
  page.on('request', (request) => (requests += Number(request.url().endsWith('/api/v1/subject'))));
  await page.reload();
  await expect(page.getByText(/Is this it\?|Which thing is your product\?/)).toBeVisible();
  expect(requests, 'the answer is kept with the photo').toBe(0);

  await show.focus();
  await page.keyboard.press('Enter');
  const editor = await openEditor(page, 'Show us the product');
  await board(editor).press('Escape');
  await expect(show).toBeFocused();
});

test('nothing found: the seller marks the product, and the photo costs one credit, once @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await well(page).setInputFiles({ name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture(400) });
  await expect(page.getByText('Which thing is your product?')).toBeVisible({ timeout: ENGINE_MS });
  await page.getByRole('button', { name: 'Show us the product' }).click();
  const editor = await openEditor(page, 'Show us the product');
  await paint(page, editor, 1, [0.9, 0.9], [0.7, 0.7]);
  await board(editor).press('k');
  await paint(page, editor, 1, [0.3, 0.3], [0.5, 0.5], [0.3, 0.5]);
  await editor.getByRole('button', { name: 'Cut this out' }).click();
  await expect(page.getByRole('button', { name: 'Show us the product' })).toBeFocused();
  await remove(page).click();
  await expectResult(page);
  expect(await readAlpha(page, [0.4, 0.4])).toBeGreaterThanOrEqual(0.9);
  await expect(balance(page)).toHaveText(/9$/);
});
