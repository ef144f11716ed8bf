import type { Locator, Page } from '@playwright/test';

/** Chooses these photos for a new catalogue of cut-outs. */
export async function addPhotos(page: Page, photos: Parameters<Locator['setInputFiles']>[0]) {
  await page.goto('/dashboard/catalogue/new');
  await page.getByLabel('Photos and list').setInputFiles(photos);
  await page.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'Remover Background, 1 credit' });
}

/** "5 of 6 ready, 1 did not work" */
export const countsOf = (page: Page) => page.getByRole('region', { name: 'Progress' }).locator('b');
export const failedOf = (page: Page) => page.getByRole('region', { name: /did not work$/ });
