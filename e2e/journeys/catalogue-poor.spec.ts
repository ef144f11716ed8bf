import { expect, type Page } from '@playwright/test';
import { addPhotos, countsOf, photo } from '../support/catalogue.ts';
import { ENGINE_MS, test } from '../support/journey.ts';
import { makeSeller, readCredits, startGeneration } from '../support/makers.ts';
import { countKeptPictures, samplePhoto } from '../support/pictures.ts';

test.use({ expected: [/402/], tolerated: [/api\/v1\/events/] });

/** Credits that are held by clips which nobody waits for, and come back when those are canceled. */
async function spend(page: Page, tools: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const tool of tools) {
    const words = tool === 'image-to-video' ? { prompt: 'Turn slowly' } : {};
    ids.push(await startGeneration(page, tool, { image: samplePhoto('mug'), ...words }));
  }
  return ids;
}

async function giveBack(page: Page, ids: string[]): Promise<void> {
  for (const id of ids) await page.request.post(`/api/v1/generations/${id}/cancel`);
  await expect.poll(() => readCredits(page), { timeout: ENGINE_MS }).toBe(10);
}

for (const width of [1440, 390]) {
  test(`credits that went elsewhere before the start cost no photo and no money, at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await makeSeller(page, 'basic');
    const clips = await spend(page, ['image-to-video', 'basic-image-to-video', 'basic-image-to-video']);
    // This tab does not hear what the other one does next.
    await page.route('**/api/v1/events', (route) => route.abort());
    await addPhotos(page, [photo('mug'), photo('teddy')]);
    await expect(page.getByText('2 photos, 2 credits, you have 1')).toBeVisible();
    clips.push(...(await spend(page, ['remover'])));
    await page.getByRole('button', { name: 'Start with what I have' }).click();

    await expect(page).toHaveURL(/\/catalogue\/run_/);
    const progress = page.getByRole('region', { name: 'Progress' });
    const sentence = 'Your credits are used up. The photos left wait here, unpaid: get credits, then continue.';
    await expect(progress).toContainText('Upload stopped: 0 of 2 photos');
    await expect(progress).toContainText(sentence);
    await expect(progress.getByRole('link', { name: 'Get credits' })).toBeVisible();
    expect(await readCredits(page)).toBe(0);

    // They wait in this browser, also for the next visit.
    await page.reload();
    await expect(progress).toContainText(sentence);
    expect(await countKeptPictures(page, 'run-files')).toBe(2);

    await giveBack(page, clips);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(countsOf(page)).toHaveText('All 2 pictures ready', { timeout: ENGINE_MS });
    expect(await readCredits(page)).toBe(8);
  });
}
