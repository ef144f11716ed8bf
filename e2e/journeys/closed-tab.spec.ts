import { ENGINE_MS, expect, expectResult, stage, test } from '../support/journey.ts';
import { cancelGeneration, makeSeller, readCredits, startGeneration } from '../support/makers.ts';
import { countKeptPictures, samplePhoto, smallPhoto } from '../support/pictures.ts';

test('a tab closed during its jobs: the tool screen takes the last up again, and both results are found @slow', async ({
  page,
  context,
}) => {
  await makeSeller(page, 'basic');
  // The engine works on two at a time: with these clips before it, the last is still under way when we come back.
  const clip = { image: samplePhoto('teddy') };
  const before = [
    await startGeneration(page, 'basic-image-to-video', clip),
    await startGeneration(page, 'basic-image-to-video', clip),
  ];
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(await smallPhoto('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await stage(page).getByRole('button', { name: 'Start another' }).click();
  await page.getByRole('button', { name: 'Use the sample dropper' }).click();
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('Removing background...')).toBeVisible();
  // The photo of one's own is kept in the browser a moment after its job was accepted, the sample with the form.
  await expect.poll(() => countKeptPictures(page)).toBe(1);
  await page.close();

  const later = await context.newPage();
  await later.goto('/dashboard/remover');
  await expect(stage(later).getByText('You can leave this page')).toBeVisible();
  await expect(stage(later).getByText('Removing background...')).toBeVisible();
  await expect(later.getByRole('img', { name: 'Your picture, dropper.jpg' })).toBeVisible();
  for (const id of before) await cancelGeneration(later, id); // They have kept the engine busy long enough.

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
  // Does nothing but look whether something lies on the button.
  await stage(later).getByRole('button', { name: 'Download Result' }).click({ trial: true });

  const history = await context.newPage();
  await later.close();
  await history.goto('/dashboard/history');
  const cards = history.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(2);
  await expect(cards.getByRole('button', { name: /^Download / })).toHaveCount(2, { timeout: ENGINE_MS });
});

test('a double click starts one generation, and when the session ends elsewhere nothing here works on', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // The balance may be on its way when the session ends elsewhere.
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
