import type { Page, Request } from '@playwright/test';
import { siteDefaults } from '@plinth/contract/site';
import { tools } from '@plinth/contract/tools';
import { ENGINE_MS, expect, test } from '../support/journey.ts';
import { buyPackage, makeSeller, statusWithFigures } from '../support/makers.ts';
import { smallPhoto } from '../support/pictures.ts';
import { startInBrackets } from '../support/product.ts';

// Each sentence of this language stands in ⟦brackets⟧: whatever a person reads outside of them is in no catalogue.
test.use({ locale: 'en-XA' });

let endProduct: () => Promise<void>;
test.beforeAll(async () => {
  endProduct = await startInBrackets();
});
test.afterAll(() => endProduct());

/** Code, keys and names: no sentence of a page. */
const NO_SENTENCE = [
  ...['code', 'pre', 'script', 'style', 'svg', 'noscript', 'kbd', '[data-no-sentence]'],
  '.pickable', // scenes and portraits, as the server calls them
].join(', ');

/** Texts and names with letters outside of every bracket. */
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

/** What this page has asked for and not received; its stream of events, which never ends, is not among it. */
function watchRequests(page: Page): Set<Request> {
  const open = new Set<Request>();
  const end = (request: Request) => open.delete(request);
  page.on('request', (request) => void (!request.url().endsWith('/api/v1/events') && open.add(request)));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return open;
}

/**
 * Opens the addresses one after the other. @param known what is no sentence: an e-mail address, an operator's words
 * @param filled what a page shows last
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
    // An operator's own words, as the server fills them in.
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
  const known = [email, email.split('@')[0] ?? email, 'eBay'];
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

test('what the server refuses is said in the language of the page @slow', async ({ page, expected }) => {
  expected.push(/status of 401/);
  await page.goto('/login');
  await page.locator('input[type=email]').fill('nobody@example.com');
  await page.locator('input[type=password]').fill('wrong-password');
  await page.locator('form button[type=submit]').click();
  await expect(page.getByRole('main').locator('.error')).toHaveText('⟦Invalid email or password. Please try again.⟧');
});
