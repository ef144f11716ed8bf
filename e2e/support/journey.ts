import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { stopEndless, watch, type Watched } from './watch.ts';

type Journey = {
  /** Opens another browser without a session, watched like the first. */
  newBrowser: () => Promise<Page>;
  /** Console messages that a journey must provoke, such as the 401 after a wrong password. */
  expected: RegExp[];
  /**
   * Console messages that may occur, such as the 401 to a request in flight when the session ended.
   */
  tolerated: RegExp[];
  watched: Watched;
};

/** An overloaded server skips the preview of the product, and the form continues without it. */
const PREVIEW_SKIPPED = /status of 503 .*\/api\/v1\/subject$/;

/** Every journey also asserts that there is no console error, blocked content or request to another server. */
export const test = base.extend<Journey>({
  baseURL: async ({}, use) => use(productUrl()),
  expected: async ({}, use) => use([]),
  tolerated: async ({}, use) => use([]),
  watched: [
    async ({ context, expected, tolerated }, use) => {
      const watched = watch(productUrl());
      await watched.add(context);
      await stopEndless(context);
      await use(watched);
      const known = [...expected, ...tolerated, PREVIEW_SKIPPED];
      const problems = watched.problems.filter((problem) => !known.some((pattern) => pattern.test(problem)));
      expect(problems, 'console errors, blocked content and foreign requests').toEqual([]);
      for (const pattern of expected) {
        expect(
          watched.problems.some((problem) => pattern.test(problem)),
          `${pattern} was expected`,
        ).toBe(true);
      }
    },
    { auto: true },
  ],
  newBrowser: async ({ browser, watched }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext({ baseURL: productUrl(), viewport: { width: 1440, height: 900 } });
      contexts.push(context);
      await watched.add(context);
      await stopEndless(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});
export { expect };

/** Returns the URL of the product that the global setup started. */
export function productUrl(): string {
  const url = process.env['PLINTH_URL'];
  if (url === undefined) throw new Error('the global setup did not start the product');
  return url;
}

/** Locates the toast with this sentence. */
export function toast(page: Page, sentence: string | RegExp): Locator {
  return page.locator('[data-sonner-toast]').filter({ hasText: sentence });
}

/** Locates the screen's error box. */
export function errorBox(page: Page): Locator {
  return page.getByRole('main').locator('.error');
}

/** Locates the sidebar's "Credits: 20". */
export function balance(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: /^Credits/ });
}

/** Disables the preview of the product, as on a busy machine. An unclear photo then fails after its submission. */
export const disablePreview = (page: Page) =>
  page.route('**/api/v1/subject', (route) => route.fulfill({ status: 503 }));

export const stage = (page: Page) => page.getByRole('region', { name: 'Result' });

/** Timeout for the engine in milliseconds. It is generous for the sake of busy machines. */
export const ENGINE_MS = 120_000;

/** Waits until the stage shows a loaded result. */
export async function expectResult(page: Page): Promise<void> {
  const picture = stage(page).getByRole('img', { name: /^Result: / });
  await expect(picture).toBeVisible({ timeout: ENGINE_MS });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
}
