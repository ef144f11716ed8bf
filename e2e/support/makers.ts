import { randomUUID } from 'node:crypto';
import { expect, type APIResponse, type Page } from '@playwright/test';
import type { Status } from '@plinth/contract/status';
import { toolIds } from '@plinth/contract/tools';
import { smallPhoto } from './pictures.ts';

export type Seller = { email: string; password: string };
type PackageKey = 'basic' | 'standard' | 'premium';
type ToolCall = { image: Buffer; prompt?: string };

export const newEmail = () => `seller-${randomUUID().slice(0, 8)}@example.com`;

/** Signs a new seller up in this page's browser. Credits come from buying a package. */
export async function makeSeller(page: Page, bought?: PackageKey, email = newEmail()): Promise<Seller> {
  const seller = { email, password: 'first-password' };
  await expectOk(page.request.post('/api/v1/auth/sign-up', { data: seller }));
  if (bought !== undefined) await buyPackage(page, bought);
  return seller;
}

/** Opens a new seller's scene form, with a photo and a prompt, not yet submitted. */
export async function openSceneForm(page: Page): Promise<Seller> {
  const seller = await makeSeller(page, 'basic');
  await page.goto('/dashboard/text-to-image');
  await page.getByLabel('Product image Required').setInputFiles(await smallPhoto('dropper'));
  await page.getByRole('textbox', { name: 'Scene description' }).fill('wooden table, warm light');
  return seller;
}

export async function signIn(page: Page, seller: Seller): Promise<void> {
  await expectOk(page.request.post('/api/v1/auth/sign-in', { data: seller }));
}

export async function buyPackage(page: Page, packageKey: PackageKey): Promise<void> {
  const order = await expectOk(
    page.request.post('/api/v1/purchases', {
      headers: { 'Idempotency-Key': randomUUID() },
      data: { package: packageKey },
    }),
  );
  const { checkoutUrl } = (await order.json()) as { checkoutUrl: string };
  const token = new URL(checkoutUrl).pathname.split('/').at(-1);
  await expectOk(page.request.post(`/api/v1/sandbox/checkout/${token}`, { data: { action: 'pay' } }));
}

/** Starts a generation through the API. Returns its id. */
export async function startGeneration(page: Page, tool: string, { image, prompt }: ToolCall): Promise<string> {
  const started = await expectOk(
    page.request.post(`/api/v1/tools/${tool}/generations`, {
      headers: { 'Idempotency-Key': randomUUID() },
      multipart: {
        image: { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: image },
        ...(prompt !== undefined && { prompt }),
      },
    }),
  );
  return ((await started.json()) as { id: string }).id;
}

export async function cancelGeneration(page: Page, id: string): Promise<void> {
  await expectOk(page.request.post(`/api/v1/generations/${id}/cancel`));
}

export async function readCredits(page: Page): Promise<number> {
  const answer = await expectOk(page.request.get('/api/v1/credits'));
  return ((await answer.json()) as { credits: number }).credits;
}

export async function listMediaNames(page: Page): Promise<string[]> {
  const answer = await expectOk(page.request.get('/api/v1/media'));
  const { items } = (await answer.json()) as { items: { originalFilename: string }[] };
  return items.map(({ originalFilename }) => originalFilename);
}

async function expectOk(pending: Promise<APIResponse>): Promise<APIResponse> {
  const response = await pending;
  expect(response.ok(), `${response.url()} answered ${response.status()}`).toBe(true);
  return response;
}

/** Returns a response of `GET /api/v1/status` with enough generations for figures. */
export function statusWithFigures(): Status {
  const day = { date: new Date().toISOString().slice(0, 10), ended: 40, succeeded: 38 };
  const figures = { ended: 40, succeeded: 38, refused: 1, failed: 1, medianSeconds: 1.4, p95Seconds: 3 };
  const tools = Object.fromEntries(toolIds.map((toolId) => [toolId, { ...figures, creditsReturned: 2 }]));
  const toolDays = Object.fromEntries(toolIds.map((toolId) => [toolId, [day]]));
  const parts = { engine: 'up', payments: 'up', storage: 'down', queue: 'slow' } as const;
  return { parts, hours24: { tools }, days30: { tools }, days: [day], toolDays };
}
