import { expectAccessible, OTHER_APPEARANCES } from '../support/accessible.ts';
import { addPhotos, countsOf as counts, failedOf as failed } from '../support/catalogue.ts';
import { ENGINE_MS, expect, test } from '../support/journey.ts';
import { makeSeller, readCredits } from '../support/makers.ts';
import { makeEmptyPicture, smallPhoto } from '../support/pictures.ts';

const PHONE = { width: 390, height: 844 };

const LIST = {
  name: 'list.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('sku,file\nM-01,mug.jpg\nM-02,lamp.jpg\n'),
};
// Different sizes make different pictures.
const empty = (name: string, side: number) => ({ name, mimeType: 'image/png', buffer: makeEmptyPicture(side) });

test("a catalogue's price and missing data are shown before its start @slow", async ({ page }) => {
  await page.setViewportSize(PHONE);
  await makeSeller(page);
  await addPhotos(page, [await smallPhoto('mug'), await smallPhoto('teddy')]);
  await expect(page.getByText('2 photos, 2 credits, you have 0')).toBeVisible();
  await expect(page.getByText('2 credits missing.')).toBeVisible();
  await page.getByRole('link', { name: 'Get credits' }).click();
  await expect(page).toHaveURL('/dashboard/credits');
  await page.goBack();
  await expect(page.getByText('2 photos, 2 credits, you have 0')).toBeVisible();
});

test('one failed photo is marked, another one is left out @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await addPhotos(page, [await smallPhoto('mug'), empty('grey.png', 640), empty('wall.png', 512), LIST]);
  await expect(page.getByRole('region', { name: 'List' })).toContainText('There is no photo “lamp.jpg”.');
  await expectAccessible(page, 'new catalogue', OTHER_APPEARANCES);
  await page.getByRole('button', { name: 'Start, 3 credits' }).click();
  await expect(counts(page)).toHaveText('1 of 3 ready, 2 did not work', { timeout: 2 * ENGINE_MS });
  expect(await readCredits(page)).toBe(9);
  await expectAccessible(page, 'catalogue', OTHER_APPEARANCES);

  await failed(page).getByRole('button', { name: 'Leave out wall.png' }).click();
  await expect(failed(page)).not.toContainText('wall.png', { timeout: 10_000 });
  await page.setViewportSize(PHONE);
  await failed(page).getByRole('button', { name: 'Show us the product: grey.png' }).click();
  const editor = page.getByRole('dialog', { name: 'Show us the product' });
  const board = editor.getByRole('application');
  await expect(board).toBeVisible();
  await board.press('k');
  const { x, y, width: across, height: down } = (await board.boundingBox())!;
  await page.mouse.move(x + across / 2 - 30, y + down / 2);
  await page.mouse.down();
  await page.mouse.move(x + across / 2 + 30, y + down / 2, { steps: 5 });
  await page.mouse.up();
  await editor.getByRole('button', { name: 'Try again, 1 credit' }).click();
  await expect(counts(page)).toHaveText(/^All 2 pictures ready/, { timeout: ENGINE_MS });
  await expect(failed(page)).toHaveCount(0);
  expect(await readCredits(page)).toBe(8);
});

test('canceling a catalogue refunds its unfinished photos @slow', async ({ page, tolerated }) => {
  tolerated.push(/status of 409 .*\/items$/); // An upload may be in flight when the catalogue is canceled.
  await page.setViewportSize(PHONE);
  await makeSeller(page, 'basic');
  await addPhotos(page, await Promise.all(['mug', 'teddy', 'dropper', 'candle'].map((name) => smallPhoto(name))));
  await page.getByRole('button', { name: 'Start, 4 credits' }).click();
  await expect(page).toHaveURL(/\/catalogue\/run_/);
  await expect.poll(() => readCredits(page), 'a photo is sent and paid').toBeLessThan(10);
  await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel catalogue' }).click();
  await expect(page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(0);
  await expect.poll(() => readCredits(page), { timeout: ENGINE_MS }).toBeGreaterThanOrEqual(7);
  // The page agrees with the ledger, also about photos that were at work. Unsent ones were never paid.
  await expect(async () => {
    const answer = await page.request.get('/api/v1/credits/history?limit=100');
    const { items } = (await answer.json()) as { items: { reason: string }[] };
    const back = items.filter(({ reason }) => reason === 'refund').length;
    const says = back === 1 ? '1 credit returned.' : `${back} credits returned.`;
    await expect(page.getByText(says, { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: ENGINE_MS });
});
