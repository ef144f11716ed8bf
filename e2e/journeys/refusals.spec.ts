import { ENGINE_MS, balance, errorBox, expect, stage, test, toast, disablePreview } from '../support/journey.ts';
import { listMediaNames, makeSeller, readCredits } from '../support/makers.ts';
import { makeEmptyPicture, makeTooLargePhoto, type Photo, smallPhoto } from '../support/pictures.ts';

// The engine's sentence about the picture, from its field error.
const REFUSED = 'We are not sure what the product is in this photo. Show us, or try another photo.';

test('a picture without a detectable product fails with its sentence, and the credit is refunded', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const empty = { name: 'wall.png', mimeType: 'image/png', buffer: makeEmptyPicture(400) };
  await disablePreview(page);
  await page.getByLabel('Image Required').setInputFiles(empty);
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  // The previous number stays hidden in the markup, even if the credit is refunded at once.
  await expect(balance(page)).toHaveText(/9(10)?$/);
  await expect(errorBox(page)).toHaveText(REFUSED, { timeout: ENGINE_MS });
  await expect(toast(page, REFUSED)).toBeVisible();
  await expect(stage(page).getByRole('heading', { name: 'No picture this time' })).toBeVisible();
  await expect(stage(page).getByText(REFUSED), 'the reason stands where one looks').toBeVisible();
  await expect(stage(page).getByText('1 credit returned.')).toBeVisible();
  await expect(balance(page)).toHaveText(/10$/);
  expect(await readCredits(page)).toBe(10);
  expect(await listMediaNames(page)).toEqual([]);

  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('mug'));
  await expect(errorBox(page)).toHaveCount(0);
  await page.getByRole('link', { name: /^Credits/ }).click();
  const returned = page.getByRole('cell', { name: '+1', exact: true });
  await expect(
    page.getByRole('row').filter({ has: returned }).getByRole('cell', { name: '10', exact: true }),
  ).toBeVisible();
});

test('files that the tools do not accept are refused before any upload @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  const field = page.getByLabel('Image Required');
  const refused: [Photo | string, string][] = [
    [
      { name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      'Please select an image file (JPEG, PNG, or WebP)',
    ],
    [makeTooLargePhoto(), 'Image file size must be less than 12MB'],
    [
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      'Failed to read image file. Please try again.',
    ],
    [
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') },
      'Failed to load image. Please try another file.',
    ],
  ];
  for (const [file, sentence] of refused) {
    await field.setInputFiles(file);
    await expect(errorBox(page)).toHaveText(sentence);
    await expect(toast(page, sentence)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove Background, 1 credit' })).toBeDisabled();
  }
  await field.setInputFiles(await smallPhoto('mug'));
  await expect(errorBox(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove Background, 1 credit' })).toBeEnabled();
  // Only the accepted file causes a request.
  expect(sent.filter((url) => !url.endsWith('/api/v1/subject'))).toEqual([]);
});

test('without credits nothing starts, and the toast leads to the packages', async ({ page, expected }) => {
  expected.push(/status of 402 .*\/tools\/text-to-image\/generations$/);
  await makeSeller(page);
  await page.goto('/dashboard/text-to-image');
  await page.getByRole('button', { name: 'Use the sample mug' }).click();
  await expect(page.getByText('mug.jpg')).toBeVisible();
  await page.getByRole('textbox', { name: 'Scene description' }).fill('on a beach at noon');
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  const sentence = 'Insufficient credits. Please add more credits to continue.';
  await expect(errorBox(page)).toHaveText(`${sentence}Get credits`);
  await expect(balance(page)).toHaveText(/0$/);
  await expect(errorBox(page).getByRole('link', { name: 'Get credits' })).toBeVisible();
  await toast(page, sentence).getByRole('link', { name: 'Get credits' }).click();
  await expect(page).toHaveURL('/dashboard/credits');
  await page.getByRole('link', { name: 'Background Customization' }).click();
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('on a beach at noon');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

  test('the sentence of a refusal is not hidden under the sticky button @slow', async ({ page, expected }) => {
    expected.push(/status of 402 .*\/tools\/text-to-image\/generations$/);
    await makeSeller(page);
    await page.goto('/dashboard/text-to-image');
    await page.getByRole('button', { name: 'Use the sample mug' }).tap();
    await expect(page.getByText('mug.jpg')).toBeVisible();
    await page.getByRole('button', { name: 'Wooden table, morning light' }).tap();
    await page.keyboard.press('Control+Enter');
    await expect(errorBox(page)).toBeVisible();
    const isCovered = () =>
      errorBox(page).evaluate((box) => {
        const { left, width, top, bottom } = box.getBoundingClientRect();
        return [top + 1, bottom - 1].some((y) => !box.contains(document.elementFromPoint(left + width / 2, y)));
      });
    await expect.poll(isCovered).toBe(false);
  });
});
