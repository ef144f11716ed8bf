import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/accessible.ts';
import { expect, expectResult, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';
import { samplePath, smallPhoto } from '../support/pictures.ts';

/** More than the server accepts. */
const PADDING_BYTES = 13 * 1024 * 1024;

const drop = async (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('#verify-here input[type="file"]').setInputFiles({ name, mimeType, buffer });
const verdict = (page: Page, sentence: string) => page.getByRole('heading', { level: 2, name: sentence });

test('the browser alone recognizes a picture that was made here, and changes to it @slow', async ({ page }) => {
  await makeSeller(page, 'basic');
  await page.goto('/dashboard/remover');
  const candle = await smallPhoto('candle');
  await page.getByLabel('Image Required').setInputFiles(candle);
  await page.getByRole('button', { name: 'Remove Background, 1 credit' }).click();
  await expectResult(page);
  const { items } = (await (await page.request.get('/api/v1/media')).json()) as { items: { contentUrl: string }[] };
  const picture = await (await page.request.get(items[0]?.contentUrl ?? '')).body();

  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await page.goto('/');
  await page.getByRole('link', { name: 'Verify a picture' }).click();
  await drop(page, 'candle.png', 'image/png', picture);
  await expect(verdict(page, 'Made here by Plinth engine. It is as it was then.')).toBeVisible();
  await expect(page.getByText('by this site, with a certificate that it made for itself')).toBeVisible();
  await expect(page.locator('.verify-answer li')).toHaveText([
    /^opened by Plinth engine, /,
    /^edited by Plinth engine, /,
  ]);
  await expectNoSidewaysScroll(page, '/verify with an answer');
  await expectAccessible(page, '/verify with an answer');

  const changed = Buffer.from(picture);
  changed.writeUInt8(picture.readUInt8(picture.length - 30) ^ 1, picture.length - 30);
  await drop(page, 'candle.png', 'image/png', changed);
  await expect(verdict(page, 'Made here by Plinth engine. It was changed since.')).toBeVisible();
  await drop(page, 'candle.jpg', 'image/jpeg', candle.buffer);
  await expect(verdict(page, 'It says nothing of where it comes from.')).toBeVisible();

  // Passed by path, because bytes would be sent to the browser as text.
  const long = join(mkdtempSync(join(tmpdir(), 'plinth-long-')), 'long.png');
  writeFileSync(long, Buffer.concat([picture, Buffer.alloc(PADDING_BYTES)]));
  await page.locator('#verify-here input[type="file"]').setInputFiles(long);
  await expect(verdict(page, 'Made here by Plinth engine. It was changed since.')).toBeVisible();
  await drop(page, 'mug.txt', 'text/plain', Buffer.from('no picture'));
  await expect(page.getByText('This file cannot be read.')).toBeVisible();
  expect(sent).toEqual([]);
});

test('the page works by keyboard, also before its script loads: choosing a file, copying a sentence', async ({
  page,
}) => {
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((done) => (letGo = done));
  await page.route('**/assets/VerifyHere*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/verify');
  const choosing = page.waitForEvent('filechooser');
  await page.locator('#verify-here input[type="file"]').focus();
  await page.keyboard.press('Enter');
  await (await choosing).setFiles(samplePath('candle'));
  letGo?.();
  await expect(verdict(page, 'It says nothing of where it comes from.')).toBeVisible();
  await page.context().grantPermissions(['clipboard-write']);
  await page.getByRole('button', { name: 'Copy the sentence for Vinterior' }).press('Enter');
  await expect(page.getByText('The sentence for Vinterior is copied.')).toBeVisible();
});
