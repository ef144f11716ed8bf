import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { stopEndless, watch, type Watched } from './watch.ts';

type Journey = {
  /** A further browser, with nobody signed in; watched like the first. */
  newBrowser: () => Promise<Page>;
  /** Console messages that a journey provokes on purpose, like the refusal of a wrong password. */
  expected: RegExp[];
  /**
   * Console messages that may come or not, like the refusal of a request that was on its way when the session ended.
   */
  tolerated: RegExp[];
  watched: Watched;
};

/** A server with too much to do looks at no photo first, and the form goes on without. */
const NOT_ASKED_FIRST = /status of 503 .*\/api\/v1\/subject$/;

/** Every journey also asserts silence: no console error, no refused script, no request to anybody else. */
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
      const known = [...expected, ...tolerated, NOT_ASKED_FIRST];
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

/** The address of the product that the global setup started. */
export function productUrl(): string {
  const url = process.env['PLINTH_URL'];
  if (url === undefined) throw new Error('the global setup did not start the product');
  return url;
}

/** The one toast with this sentence. */
export function toast(page: Page, sentence: string | RegExp): Locator {
  return page.locator('[data-sonner-toast]').filter({ hasText: sentence });
}

/** The one error box of a screen. */
export function errorBox(page: Page): Locator {
  return page.getByRole('main').locator('.error');
}

/** The line of the sidebar, "Credits: 20". */
export function balance(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: /^Credits/ });
}

/** From now on nobody can say before the press what would be cut out, as on a busy machine: it is refused after it. */
export const leaveUnasked = (page: Page) => page.route('**/api/v1/subject', (route) => route.fulfill({ status: 503 }));

export const stage = (page: Page) => page.getByRole('region', { name: 'Result' });

/** How long a journey waits for the engine: far longer than it takes, for a machine that is busy with other work. */
export const ENGINE_MS = 120_000;

/** The finished picture on the stage, loaded and drawn. */
export async function expectResult(page: Page): Promise<void> {
  const picture = stage(page).getByRole('img', { name: /^Result: / });
  await expect(picture).toBeVisible({ timeout: ENGINE_MS });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100);
}
