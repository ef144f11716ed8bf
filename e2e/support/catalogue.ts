import type { Page } from '@playwright/test';
import { samplePhoto } from './pictures.ts';

type Photo = { name: string; mimeType: string; buffer: Buffer };

/** A sample photo as the file input takes it. */
export const photo = (name: string): Photo => ({
  name: `${name}.jpg`,
  mimeType: 'image/jpeg',
  buffer: samplePhoto(name),
});

/** Chooses these photos for a new catalogue of cut-outs. */
export async function addPhotos(page: Page, photos: Photo[]): Promise<void> {
  await page.goto('/dashboard/catalogue/new');
  await page.getByLabel('Photos and list').setInputFiles(photos);
  await page.getByRole('radio', { name: /^Remover Background/ }).check();
}

/** "5 of 6 ready, 1 failed" */
export const countsOf = (page: Page) => page.getByRole('region', { name: 'Progress' }).locator('b');
export const failedOf = (page: Page) => page.getByRole('region', { name: /did not work$/ });
