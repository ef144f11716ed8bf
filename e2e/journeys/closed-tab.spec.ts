import { ENGINE_MS, expect, expectResult, stage, test } from '../support/journey.ts';
import { cancelGeneration, makeSeller, readCredits, startGeneration } from '../support/makers.ts';
import { countKeptPictures, samplePhoto, smallPhoto } from '../support/pictures.ts';

test('after a tab was closed during its jobs, the tool screen resumes the last, and both results are found @slow', async ({
  page,
  context,
}) => {
  await makeSeller(page, 'basic');
  // The engine works on two at a time. Behind these clips the last job is still running when we return.
  const before: string[] = [];
  for (let clips = 0; clips < 4; clips += 1)
    before.push(await startGeneration(page, 'basic-image-to-video', { image: samplePhoto('teddy') }));
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await stage(page).getByRole('button', { name: 'Start another' }).click();
  await page.getByRole('button', { name: 'Use the sample dropper' }).click();
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('Removing background...')).toBeVisible();
  // The browser keeps an own photo shortly after its job was accepted; a sample is kept with the form.
  await expect.poll(() => countKeptPictures(page)).toBe(1);
  await page.close();

  const later = await context.newPage();
  await later.goto('/dashboard/remover');
  await expect(stage(later).getByText('You can leave this page')).toBeVisible();
  await expect(stage(later).getByText('Removing background...')).toBeVisible();
  await expect(later.getByRole('img', { name: 'Your picture, dropper.jpg' })).toBeVisible();
  // They are no longer needed to occupy the engine.
  for (const id of before.slice(2)) await cancelGeneration(later, id);

  await stage(later).getByRole('button', { name: 'Start another' }).click();
  const recent = later.getByRole('button', { name: /^Use (?!the sample)/ });
  await expect(recent.first(), 'a sample is no upload').toHaveAccessibleName('Use teddy.jpg');
  await expect(recent).toHaveCount(1);
  const tray = later.getByRole('region', { name: 'Running generations' });
  const showing = tray.getByRole('button', { name: 'Show Remover Background' });
  await expect(showing).toHaveCount(2, { timeout: ENGINE_MS });
  await showing.first().click();
  await expectResult(later);
  await expect(stage(later).getByTitle(/^removed-bg-\d{13}\.png$/)).toBeVisible();
  await expect(tray, 'the other result is still to be seen').toBeVisible();
  // Only checks that nothing covers the button.
  await stage(later).getByRole('button', { name: 'Download Result' }).click({ trial: true });

  const history = await context.newPage();
  await later.close();
  await history.goto('/dashboard/history');
  const cards = history.getByRole('main').getByRole('listitem');
  await expect(cards.getByRole('button', { name: /^Download Product image/ })).toHaveCount(2, { timeout: ENGINE_MS });
});

test('a double click starts one generation, and nothing continues here after the session ends elsewhere', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // A balance request may be in flight when the session ends elsewhere.
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByRole('button', { name: 'Use the sample dropper' }).click();
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).dblclick();
  await expect(stage(page).getByText('Removing background...')).toBeVisible();
  expect(await readCredits(page)).toBe(9);
  await page.request.post('/api/v1/auth/sign-out');
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Removing background...')).toBeHidden();
});
