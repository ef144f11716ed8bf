import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { toolIds, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import { ENGINE_MS, balance, expect, stage, test, toast } from '../support/journey.ts';
import { listMediaNames, makeSeller } from '../support/makers.ts';
import { makeEmptyPicture } from '../support/pictures.ts';

const SIGNATURES = { png: ['PNG', 1], mp4: ['ftyp', 4] } as const;

for (const toolId of toolIds) {
  const tool: Tool = tools[toolId];

  // A video takes as long as the four pictures together.
  const tag = tool.shows.kind === 'video' ? ['@slow'] : [];
  test(`${toolId}: from an example and the samples to a file that is kept`, { tag }, async ({ page }) => {
    // A loop plays automatically.
    if (tool.shows.kind === 'video') await page.emulateMedia({ reducedMotion: 'no-preference' });
    await makeSeller(page, 'basic');
    await page.goto(`/dashboard/${toolId}`);
    await expect(page.getByRole('heading', { level: 1, name: tool.title })).toBeVisible();
    await expectExample(page, tool);
    await fillIn(page, tool);
    await expect(stage(page).getByRole('figure', { name: 'Example' })).toHaveCount(0);
    await page.locator('form').getByRole('button', { name: tool.says.button }).click();
    // The elapsed time follows the text.
    const working = new RegExp(`^(Checking credits|${tool.says.working.replace('...', '')})\\.\\.\\.`);
    const download = stage(page).getByRole('button', { name: tool.says.download });
    // The quickest tool may finish before its progress text is visible.
    await expect(stage(page).getByText(working).or(download).first()).toBeVisible();
    await expect(download).toBeVisible({ timeout: ENGINE_MS });
    await expect(toast(page, tool.says.done)).toBeVisible();
    await expect(balance(page)).toHaveText(new RegExp(`${10 - tool.cost}$`));
    if (tool.shows.kind === 'video') await expectPlaying(page, tool.shows.loops);
    await expectOneLine(page);
    await expectDownload(page, tool);
    expect(await listMediaNames(page)).toHaveLength(1);
  });
}

test('the whole input picture of the basic video is visible before payment', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/image-to-video');
  await page.getByRole('navigation', { name: 'Tools' }).getByRole('link', { name: 'Basic Video' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Basic Image to Video' })).toBeFocused();
  await page.getByRole('button', { name: 'Use the sample dropper' }).click();
  const picture = page.getByRole('img', { name: 'Your picture, dropper.jpg' });
  const size = await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  expect(size).toEqual([450, 600]);
  await expect(stage(page).getByText('Processed image (768x768)')).toBeVisible();
  await page.getByLabel('Image Required').setInputFiles({
    name: 'my-own.png',
    mimeType: 'image/png',
    buffer: makeEmptyPicture(),
  });
  await expect(page.getByRole('img', { name: 'Your picture, my-own.png' })).toBeVisible();
});

/** Asserts that the idle stage without a photo shows an example's input and output, fully loaded. */
async function expectExample(page: Page, tool: Tool): Promise<void> {
  const pictures = Object.values(tool.fields).filter(({ kind }) => kind === 'image').length + 1;
  const shown = stage(page).getByRole('figure', { name: 'Example' }).locator('img');
  const isDrawn = () => shown.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth > 100));
  await expect.poll(isDrawn).toEqual(Array(pictures).fill(true));
}

async function fillIn(page: Page, tool: Tool): Promise<void> {
  const form = page.locator('form');
  for (const [name, field] of Object.entries(tool.fields)) {
    const place = form.locator(`[data-field=${name}]`);
    if (field.kind === 'image') {
      await place.getByRole('button', { name: `Use the sample ${field.samples[0]?.replaceAll('-', ' ')}` }).click();
      await expect(place.getByRole('img', { name: `Your picture, ${field.samples[0]}.jpg` })).toBeVisible();
    }
    if (field.kind === 'text')
      await place.getByRole('button', { name: field.suggestions[0] ?? 'no suggestion' }).click();
    // The radio is invisible, over its portrait.
    if (field.kind === 'model') await place.getByRole('radio').first().check({ force: true });
  }
}

/** Asserts that the clip is drawn and advances. A loop plays automatically and muted. */
async function expectPlaying(page: Page, loops: boolean): Promise<void> {
  const video = stage(page).locator('video');
  if (!loops) await video.evaluate((clip: HTMLVideoElement) => clip.play());
  const read = () => video.evaluate((clip: HTMLVideoElement) => (clip.videoWidth > 0 ? clip.currentTime : 0));
  await expect.poll(read).toBeGreaterThan(0.3);
  expect(await video.evaluate((clip: HTMLVideoElement) => [clip.loop, clip.muted])).toEqual([loops, loops]);
}

/** Asserts that the file's size and its deletion are in one line. */
async function expectOneLine(page: Page): Promise<void> {
  const deletion = stage(page).getByText(/Deleted in/);
  const [line, facts] = [await deletion.boundingBox(), await deletion.locator('..').boundingBox()];
  expect(facts?.height).toBeLessThan(1.5 * (line?.height ?? 0));
}

async function expectDownload(page: Page, tool: Tool): Promise<void> {
  const downloading = page.waitForEvent('download');
  await stage(page).getByRole('button', { name: tool.says.download }).click();
  const file = await downloading;
  await expect(toast(page, 'Download started!')).toBeVisible();
  expect(file.suggestedFilename()).toMatch(new RegExp(`-${tool.file.ending}\\.${tool.file.type}$`));
  const bytes = await readFile(await file.path());
  const [signature, at] = SIGNATURES[tool.file.type];
  expect(bytes.toString('latin1', at, at + signature.length)).toBe(signature);
  expect(bytes.byteLength).toBeGreaterThan(30_000);
}
