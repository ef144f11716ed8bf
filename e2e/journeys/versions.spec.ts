import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { balance, ENGINE_MS, errorBox, expect, expectResult, stage, test } from '../support/journey.ts';
import { makeSeller, openSceneForm, readCredits } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

const versions = (page: Page) => stage(page).getByRole('group', { name: 'Versions' });

/** Holds the requests for the other versions until the page reloads. Resolves at the first one. */
async function holdOthers(page: Page): Promise<void> {
  let posts = 0;
  return new Promise((resolve) => {
    void page.route('**/text-to-image/generations', async (route) => {
      posts += 1;
      if (posts === 1 || posts > 3) return route.continue();
      resolve();
      await page.waitForEvent('load');
    });
  });
}

test('three versions, with a reload and a second press meanwhile: three pictures, three debits, each with its actions @slow', async ({
  page,
}) => {
  await openSceneForm(page);
  await page.getByRole('group', { name: 'Versions to make' }).getByRole('button', { name: '3' }).press('Space');
  await expect(page.getByRole('button', { name: 'Generate, 3 credits' })).toBeEnabled();
  await expectNoSidewaysScroll(page, 'form with versions');
  await expectAccessible(page, 'form with versions');

  const held = holdOthers(page);
  await page.getByRole('button', { name: 'Generate, 3 credits' }).click();
  await held;
  await page.reload();
  await page.getByRole('button', { name: 'Generate again, 2 credits' }).click({ timeout: ENGINE_MS });
  for (const at of [1, 2, 3])
    await expect(versions(page).getByRole('button', { name: `Version ${at}`, exact: true })).toBeVisible({
      timeout: ENGINE_MS,
    });
  await expect(page.getByRole('button', { name: 'Make one more, free, 3 left' })).toBeEnabled();
  await expect(balance(page)).toHaveText(/7$/);

  const pictures = new Set<string>();
  for (const at of [1, 2, 3]) {
    await page.setViewportSize(at === 2 ? { width: 390, height: 844 } : { width: 1440, height: 900 });
    await versions(page)
      .getByRole('button', { name: `Version ${at}` })
      .click();
    await expectResult(page);
    await expect(stage(page).getByRole('button', { name: 'Download Mockup' })).toBeEnabled();
    await expect(stage(page).getByRole('button', { name: /^Not usable/ })).toBeEnabled();
    const url = await stage(page)
      .getByRole('img', { name: /^Result: / })
      .getAttribute('src');
    const file = await page.request.get(url ?? '');
    pictures.add(
      createHash('sha256')
        .update(await file.body())
        .digest('hex'),
    );
  }
  expect(pictures.size).toBe(3);
  await expectNoSidewaysScroll(page, 'three versions');
  await expectAccessible(page, 'three versions');

  const history = await page.request.get('/api/v1/credits/history');
  const { items } = (await history.json()) as { items: { delta: number }[] };
  expect(items.map(({ delta }) => delta).filter((delta) => delta < 0)).toEqual([-1, -1, -1]);
  expect(await readCredits(page)).toBe(7);
});

test('without credits the first of two versions is refused, and the other is not sent @slow', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 402 .*\/generations$/);
  await makeSeller(page);
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/text-to-image/generations') && sent.push(request.url()));
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('dropper'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('wooden table');
  await page.getByRole('group', { name: 'Versions to make' }).getByRole('button', { name: '2' }).click();
  await page.getByRole('button', { name: 'Generate, 2 credits' }).click();
  await errorBox(page).getByRole('link', { name: 'Get credits' }).click();
  await expect(page).toHaveURL(/\/dashboard\/credits$/);
  expect(sent).toHaveLength(1);
  await page.goto('/dashboard/text-to-image');
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('wooden table');
});
