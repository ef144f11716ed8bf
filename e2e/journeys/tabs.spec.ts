import type { BrowserContext, Page, Request } from '@playwright/test';
import { balance, expect, test, toast } from '../support/journey.ts';
import { buyPackage, makeSeller, openSceneForm, signIn } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';

/** Counts this browser's open event streams. Those of closed pages end without an event. */
function watchStreams(context: BrowserContext): () => number {
  const open = new Set<Request>();
  const end = (request: Request) => open.delete(request);
  context.on('request', (request) => void (request.url().endsWith('/api/v1/events') && open.add(request)));
  context.on('requestfinished', end);
  context.on('requestfailed', end);
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length;
}

async function openTabs(context: BrowserContext, count: number, path: string): Promise<Page[]> {
  const tabs: Page[] = [];
  for (let at = 0; at < count; at += 1) {
    const tab = await context.newPage();
    await tab.goto(path);
    await expect(balance(tab)).toHaveAccessibleName(/^Credits: \d+/);
    tabs.push(tab);
  }
  return tabs;
}

test('seven tabs share one event stream, so the seventh works, and each receives the events @slow', async ({
  page,
  context,
}) => {
  await makeSeller(page);
  const countStreams = watchStreams(context);
  const tabs = await openTabs(context, 7, '/dashboard/history');
  await expect.poll(countStreams).toBe(1);
  await buyPackage(page, 'basic');
  for (const tab of tabs) await expect(balance(tab)).toHaveAccessibleName('Credits: 10');

  await tabs.pop()?.close();
  await expect.poll(countStreams, 'another tab goes on with it').toBe(1);
  await buyPackage(page, 'basic');
  for (const tab of tabs) await expect(balance(tab)).toHaveAccessibleName('Credits: 20');
});

test('signing out in one tab closes a dialog in the other, and neither shows the next user data of the last @slow', async ({
  page,
  context,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // Both tabs check their session.
  const first = await makeSeller(page, 'basic');
  const [tab] = (await openTabs(context, 1, '/dashboard/account/data')) as [Page];
  await tab.getByRole('button', { name: 'Delete account' }).first().click();
  await expect(tab.getByRole('dialog').or(tab.getByRole('alertdialog'))).toBeVisible();
  await page.goto('/dashboard/history');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(tab).toHaveURL(/\/login/);
  await expect(tab.getByRole('dialog').or(tab.getByRole('alertdialog'))).toBeHidden();
  await expect(tab.getByText(first.email)).toHaveCount(0);

  await expect(page).toHaveURL('/');
  await makeSeller(page);
  await page.goto('/dashboard/history');
  await expect(balance(page)).toHaveAccessibleName('Credits: 0');
  await tab.goto('/dashboard/history');
  await expect(balance(tab)).toHaveAccessibleName('Credits: 0');
});

test('words and photos in every form survive the end of the session, and are there after the next sign-in @slow', async ({
  page,
  newBrowser,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//); // Requests in flight when the session ends.
  const seller = await openSceneForm(page);
  await expect(page.getByText('dropper.jpg')).toBeVisible();
  await page.getByRole('link', { name: 'Catalogue' }).click();
  await page.getByRole('link', { name: 'New catalogue' }).first().click();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await smallPhoto('mug'));
  await expect(page.getByText('mug.jpg')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Autumn mugs');

  const other = await newBrowser();
  await signIn(other, seller);
  await other.request.delete('/api/v1/auth/sessions');
  await expect(toast(page, 'Session expired. Please log in again.')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('You were signed out. Sign in to go on.')).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill(seller.email);
  await page.getByLabel('Password', { exact: true }).fill(seller.password);
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();

  await expect(page).toHaveURL('/dashboard/catalogue/new');
  await expect(page.getByText('mug.jpg')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Autumn mugs');
  await page.getByRole('link', { name: 'Background Customization' }).click();
  await expect(page.getByText('dropper.jpg')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('wooden table, warm light');
});

test('a tab of one user begins anew as the next one who signed in, and shows nothing of the first @slow', async ({
  page,
  context,
  tolerated,
}) => {
  tolerated.push(/status of 401 .*\/api\/v1\//, /\/api\/v1\/events/); // Requests for the first user.
  const first = await openSceneForm(page);
  await makeSeller(await context.newPage());
  await expect(balance(page)).toHaveAccessibleName('Credits: 0');
  await expect(page.getByText(first.email.split('@')[0] ?? '')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Scene description' })).toHaveValue('');
  await expect(page.getByText('dropper.jpg')).toHaveCount(0);
});
