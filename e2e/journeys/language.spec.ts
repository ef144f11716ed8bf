import type { Page, Request } from '@playwright/test';
import { siteDefaults } from '@plinth/contract/site';
import { tools } from '@plinth/contract/tools';
import { ENGINE_MS, expect, test } from '../support/journey.ts';
import { buyPackage, makeSeller, statusWithFigures } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';
import { startPseudoLanguage } from '../support/product.ts';

// Each sentence of this pseudo-language is in ⟦brackets⟧. Visible text outside of them is in no catalogue.
test.use({ locale: 'en-XA' });

let endProduct: () => Promise<void>;
test.beforeAll(async () => {
  endProduct = await startPseudoLanguage();
});
test.afterAll(() => endProduct());

/** Elements whose text is no sentence: code, keys and names. */
const NO_SENTENCE = [
  ...['code', 'pre', 'script', 'style', 'svg', 'noscript', 'kbd', '[data-no-sentence]'],
  '.pickable', // scenes and portraits with the server's names
].join(', ');

/** Finds texts and names with letters outside of brackets. */
async function findUntranslated(page: Page): Promise<string[]> {
  return page.evaluate((noSentence) => {
    const found = new Set<string>();
    const outside = (text: string, depth: number): [string, number] => {
      let rest = '';
      for (const character of text) {
        if (character === '⟦') depth += 1;
        else if (character === '⟧') depth -= 1;
        else if (depth === 0) rest += character;
      }
      return [rest, depth];
    };
    const note = (rest: string, where: Element) => {
      const words = rest.replaceAll(/\d+ KB|[A-Z][a-z]{2} \d+,( \d{4},)? [\d:\s]+[AP]M/g, '');
      if (/\p{L}{2}/u.test(words)) found.add(`${where.tagName.toLowerCase()}.${where.className}: ${rest.trim()}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let depth = 0; walker.nextNode();) {
      const { parentElement, nodeValue } = walker.currentNode;
      if (parentElement === null || parentElement.closest('script, style, noscript')) continue;
      const [rest, after] = outside(nodeValue ?? '', depth);
      depth = after;
      if (!parentElement.closest(noSentence) && parentElement.checkVisibility()) note(rest, parentElement);
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (element.closest(noSentence)) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        note(outside(element.getAttribute(name) ?? '', 0)[0], element);
    }
    return [...found];
  }, NO_SENTENCE);
}

/** Returns this page's pending requests, without the event stream, which never ends. */
function watchRequests(page: Page): Set<Request> {
  const open = new Set<Request>();
  const end = (request: Request) => open.delete(request);
  page.on('request', (request) => void (!request.url().endsWith('/api/v1/events') && open.add(request)));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return open;
}

/**
 * Opens these paths one after the other and asserts that every sentence is translated. @param known texts that are no
 * sentences: an e-mail address, an operator's words @param filled selector of the element that a page shows last
 */
async function expectTranslated(page: Page, paths: readonly string[], known: readonly string[], filled = 'h1') {
  const open = watchRequests(page);
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator(filled).first()).toBeVisible();
    await expect.poll(() => open.size).toBe(0);
    const untranslated = (await findUntranslated(page)).filter((text) => !known.some((one) => text.includes(one)));
    expect.soft(untranslated, path).toEqual([]);
    expect(await page.locator('html').getAttribute('lang'), path).toBe('en-XA');
    expect.soft(await page.title(), path).toMatch(/⟦|^Plinth$/);
  }
}

const PUBLIC = ['/', '/login', '/privacy', '/terms', '/developers', '/status', '/verify', '/no-such-page'];

test('every public page comes from the catalogue of its language @slow', async ({ page, tolerated }) => {
  tolerated.push(/status of 404/);
  await expectTranslated(page, PUBLIC, [
    // The operator's own words, which the server inserts.
    ...[siteDefaults.testimonialQuote, siteDefaults.testimonialBy],
    ...['FAQ', 'curl', 'TypeScript', 'Python', 'TikTok'],
  ]);
  await page.route('**/api/v1/status', (route) => route.fulfill({ json: statusWithFigures() }));
  await expectTranslated(page, ['/status'], [], 'article');
});

const TOOLS = Object.keys(tools).map((toolId) => `/dashboard/${toolId}`);
const EMPTY = ['history', 'catalogue', 'catalogue/new', 'credits', 'check', 'account', 'change-password', 'nowhere'];
const FILLED = ['remover', 'history', 'credits', 'account/purchases', 'account/security', 'account/keys'];

test('every screen behind the sign-in comes from the catalogue, empty and filled @slow', async ({
  page,
  tolerated,
}) => {
  tolerated.push(/status of 404/);
  const { email } = await makeSeller(page);
  const known = [email, email.split('@')[0] ?? email, 'eBay', 'b.one-line: bol'];
  await expectTranslated(page, [...TOOLS, ...EMPTY.map((path) => `/dashboard/${path}`)], known);
  await buyPackage(page, 'basic');
  await page.goto('/dashboard/remover');
  await page.getByLabel('⟦Image⟧').setInputFiles(await smallPhoto('dropper'));
  await page.locator('form.panel button[type=submit]').click();
  await expect(page.locator('.stage-pic img.cutout')).toBeVisible({ timeout: ENGINE_MS });
  await expectTranslated(
    page,
    FILLED.map((path) => `/dashboard/${path}`),
    [...known, 'dropper.jpg', 'removed-bg-', 'TEST-0'],
  );
});

test("the server's error messages are in the page's language @slow", async ({ page, expected }) => {
  expected.push(/status of 401/);
  await page.goto('/login');
  await page.locator('input[type=email]').fill('nobody@example.com');
  await page.locator('input[type=password]').fill('wrong-password');
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('main').locator('.error')).toHaveText('⟦Invalid email or password. Please try again.⟧');
});
