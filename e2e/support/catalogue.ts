import type { Locator, Page } from '@playwright/test';

/** Opens a new catalogue of cut-outs and adds these photos. */
export async function addPhotos(page: Page, photos: Parameters<Locator['setInputFiles']>[0]) {
  await page.goto('/dashboard/catalogue/new');
  await page.getByLabel('Photos and list').setInputFiles(photos);
  await page.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'Remover Background, 1 credit' });
}

/** For example "5 of 6 ready, 1 did not work". */
export const countsOf = (page: Page) => page.getByRole('region', { name: 'Progress' }).locator('b');
export const failedOf = (page: Page) => page.getByRole('region', { name: /did not work$/ });
