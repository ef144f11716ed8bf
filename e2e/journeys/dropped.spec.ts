import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, test, toast } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { type Photo, smallPhoto } from '../support/pictures.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Use / });

/** Drops files on the centre of the screen. */
async function drop(page: Page, ...photos: Photo[]): Promise<void> {
  const files = photos.map(({ name, mimeType, buffer }) => ({ name, type: mimeType, bytes: [...buffer] }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const dragged = new DataTransfer();
    for (const { name, type, bytes } of given) dragged.items.add(new File([new Uint8Array(bytes)], name, { type }));
    return dragged;
  }, files);
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer });
}

test('a photo dropped without an open tool goes to the tool that the user chooses @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/history');
  await expect(page.getByText('No media found')).toBeVisible();
  const mug = await smallPhoto('mug');
  await drop(page, mug);
  await expect(dialog(page).getByRole('button', { name: 'Background Customization' })).toBeFocused();
  await expectAccessible(page, 'a dropped photo');
  await expectNoSidewaysScroll(page, 'a dropped photo');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);

  // Without extension and type, its first bytes identify it.
  await drop(page, { ...mug, name: 'mug', mimeType: '' });
  await dialog(page).getByRole('button', { name: 'Remover Background' }).click();
  await expect(page).toHaveURL('/dashboard/remover');
  await expect(page.getByRole('img', { name: 'Your picture, mug' })).toBeVisible();

  await page.goto('/dashboard/credits');
  await expect(page.getByRole('button', { name: 'Buy Standard' })).toBeVisible();
  await drop(page, mug, { ...(await smallPhoto('teddy')), name: 'bear.jpg' });
  await dialog(page).getByRole('button', { name: 'Catalogue' }).click();
  await expect(page).toHaveURL('/dashboard/catalogue/new');
  await expect(page.getByText('2 photos', { exact: false }).first()).toBeVisible();
});

test('a HEIC photo that this browser cannot decode gets instructions for a JPEG @slow', async ({ page }) => {
  await makeSeller(page);
  await page.goto('/dashboard/history');
  await expect(page.getByText('No media found')).toBeVisible();
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000mif1heic')]);
  await drop(page, { name: 'IMG_0001.HEIC', mimeType: '', buffer: heic });
  await dialog(page).getByRole('button', { name: 'Remover Background' }).click();
  await expect(
    toast(page, /^Please select an image file \(JPEG, PNG, or WebP\)\. This photo is HEIC: .* export it as JPEG/),
  ).toBeVisible();
});
