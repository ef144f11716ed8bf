import { expect, expectResult, stage, test } from '../support/journey.ts';
import { makeSeller, startGeneration } from '../support/makers.ts';
import { samplePath, samplePhoto } from '../support/pictures.ts';

test('a tab closed during a job: the tool screen takes the job up again, and the history has its result', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
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
  await expect(cards.getByRole('button', { name: /^Download Product image/ })).toHaveCount(4, { timeout: 30_000 });
});
