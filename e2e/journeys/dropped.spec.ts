import { readFileSync } from 'node:fs';
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

test('a HEIC photo becomes an upright JPEG in its own colours, and a broken one gets instructions @slow', async ({
  page,
}) => {
  await makeSeller(page);
  await page.goto('/dashboard/remover');
  const heic = {
    name: 'IMG_0001.HEIC',
    mimeType: '',
    buffer: readFileSync(`${import.meta.dirname}/../support/iphone.heic`),
  };
  await drop(page, heic);
  const photo = page.getByRole('img', { name: 'Your picture, IMG_0001' });
  await expect(photo).toBeVisible();
  const shown = await photo.evaluate(async (image: HTMLImageElement) => {
    const bitmap = await createImageBitmap(image);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    return [bitmap.width, bitmap.height, ...context.getImageData(96, 20, 1, 1).data];
  });
  // At the left of the stored picture, which has to be turned to the right, in Display P3: 184, 55, 49.
  const expected = [192, 256, 200, 40, 40, 255];
  expect(
    expected.map((value, n) => Math.abs(value - (shown[n] ?? 0)) <= 8),
    shown.join(),
  ).toEqual(expected.map(() => true));

  await drop(page, { ...heic, buffer: heic.buffer.subarray(0, 900) });
  await expect(
    toast(page, /^Please select an image file \(JPEG, PNG, or WebP\)\. This photo is HEIC: .* export it as JPEG/),
  ).toBeVisible();
});
