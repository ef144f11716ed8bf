import { ENGINE_MS, expect, expectResult, stage, test, toast } from '../support/journey.ts';
import { makeSeller, readCredits, startGeneration } from '../support/makers.ts';
import { samplePath, samplePhoto } from '../support/pictures.ts';

test('a tab closed during a job: the tool screen takes the job up again, and the history has its result', async ({
  page,
  context,
}) => {
  await makeSeller(page, 'basic');
  // The engine works on two pictures at a time: with these before it, the job is still under way when we come back.
  const image = samplePhoto('teddy');
  for (const prompt of ['on a shelf', 'on a table', 'on a rock']) {
    await startGeneration(page, 'text-to-image', { image, prompt });
  }
  await page.goto('/dashboard/remover');
  await page.getByLabel('Image Required').setInputFiles(samplePath('teddy'));
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expect(stage(page).getByText('Removing background...')).toBeVisible();
  await page.close();

  const later = await context.newPage();
  await later.goto('/dashboard/remover');
  await expect(stage(later).getByText('You can leave this page')).toBeVisible();
  await expect(stage(later).getByText('Removing background...')).toBeVisible();
  await expectResult(later);
  await expect(stage(later).getByText(/^removed-bg-\d{13}\.png$/)).toBeVisible();

  const history = await context.newPage();
  await later.close();
  await history.goto('/dashboard/history');
  const cards = history.getByRole('main').getByRole('listitem');
  await expect(cards).toHaveCount(4);
  await expect(cards.getByRole('button', { name: /^Download Product image/ })).toHaveCount(4, { timeout: ENGINE_MS });
});

test('a double click starts one generation, and when the session ends elsewhere nothing here works on', async ({
  page,
  context,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // The balance may be on its way when the session ends elsewhere.
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/image-to-video');
  await page.getByRole('button', { name: 'Use the sample mug' }).click();
  await page.getByRole('textbox', { name: 'Motion description' }).fill('a slow orbit');
  await page.getByRole('button', { name: /^Generate.*5 credits$/ }).dblclick();
  await expect(toast(page, 'Generating video...')).toBeVisible();
  expect(await readCredits(page)).toBe(5);
  const other = await context.newPage();
  await other.request.post('/api/v1/auth/sign-out');
  await expect(page).toHaveURL(/\/login/);
  await expect(toast(page, 'Generating video...')).toBeHidden();
});
