import type { Locator, Page } from '@playwright/test';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  OTHER_APPEARANCES,
  QUICK_APPEARANCES,
} from '../support/accessible.ts';
import { errorBox, expect, productUrl, test } from '../support/journey.ts';
import { statusWithFigures } from '../support/makers.ts';

const SCROLL_WIDTHS = [320, 390, 768, 1100, 1440, 1920];
const LEGAL = [
  {
    path: '/privacy',
    title: 'Privacy Policy',
    sections: [
      'Information collected',
      'Use of data',
      'Storage and deletion after 48 hours',
      'No sharing',
      'Cookies and analytics',
      'Contact by e-mail',
    ],
    bold: [
      'Uploads and results are deleted after 48 hours.',
      'To have your account deleted, write to support',
      'Your content is not sold or shared with third parties.',
    ],
  },
  {
    path: '/terms',
    title: 'Terms of Service',
    sections: [
      'Use of service',
      'User content',
      'Credits and payments',
      'Account security',
      'Availability',
      'Termination',
      'Changes',
      'Contact',
    ],
    bold: [
      'Uploads and results are deleted after 48 hours.',
      'Purchased credits are non-refundable.',
      'A generation that fails gives its credits back',
      'To have your account deleted, write to support',
    ],
  },
];
const PAGES = [
  { path: '/', heading: 'Every product deserves a plinth.' },
  { path: '/login', heading: 'Sign In' },
  ...LEGAL.map(({ path, title }) => ({ path, heading: title })),
  { path: '/developers', heading: 'Developers' },
  { path: '/status', heading: 'Status' },
  { path: '/verify', heading: 'Verify a picture' },
];
const NOWHERE = '/no-such-page';
const NOT_FOUND = { path: NOWHERE, heading: 'There is nothing on this plinth.' };
// Chromium logs this for every page with this status.
const SAYS_404 = /status of 404 .*\/no-such-page$/;

const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

/** Returns all console messages of the page, including warnings. */
function listen(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  return messages;
}

test.describe('every public page', () => {
  for (const { path, heading } of [...PAGES, NOT_FOUND]) {
    // Static pages break least.
    const tag = LEGAL.some((one) => one.path === path) ? '@slow' : [];
    const title = `${path} is accessible in both themes, never wider than the window, and says nothing in the console`;
    test(title, { tag }, async ({ page, expected }) => {
      if (path === NOWHERE) expected.push(SAYS_404);
      const messages = listen(page);
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(path === NOWHERE ? 404 : 200);
      await expect(h1(page, heading)).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectNoSidewaysScroll(page, path, SCROLL_WIDTHS);
      await expectAccessible(page, path, QUICK_APPEARANCES);
      expect(messages.filter((text) => path !== NOWHERE || !text.includes('status of 404'))).toEqual([]);
      if (path !== NOWHERE) return;
      await page.getByRole('link', { name: 'Go to the start' }).click();
      await expect(page).toHaveURL(`${productUrl()}/`);
    });
  }

  test('the start page is accessible with its menu open, a question open and the slider in use', async ({ page }) => {
    await useStartPage(page, QUICK_APPEARANCES);
    const menu = page.getByRole('navigation', { name: 'Menu' });
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(menu.getByRole('link')).toHaveText(['Features', 'Pricing', 'Reviews', 'FAQ']);
    await menu.getByRole('link', { name: 'Pricing' }).click();
    await expect(menu, 'it closes behind').toBeHidden();
    await expect(page).toHaveURL('/#pricing');
    await expect(page.getByRole('heading', { name: 'Pay for pictures, not for months' })).toBeInViewport();
    const pricing = page.locator('#pricing');
    await expect.poll(async () => Math.round((await pricing.boundingBox())?.y ?? -1), 'offset of the bar').toBe(80);
  });

  test('the status page is accessible with figures, and its bars have descriptions @slow', async ({ page }) => {
    await openFigures(page);
    await expect(
      page.getByRole('img', { name: /^Bars of \d+ days?, at most \d+ generations? a day$/ }),
    ).not.toHaveCount(0);
    await expectNoSidewaysScroll(page, '/status with figures', SCROLL_WIDTHS);
    await expectAccessible(page, '/status with figures', QUICK_APPEARANCES);
  });

  test('each is accessible in the other looks, initially and in use @slow', async ({ page, expected }) => {
    expected.push(SAYS_404);
    for (const { path, heading } of [...PAGES, NOT_FOUND]) {
      await page.goto(path);
      await expect(h1(page, heading)).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page, path, OTHER_APPEARANCES);
    }
    await useStartPage(page, OTHER_APPEARANCES);
    await openFigures(page);
    await expectAccessible(page, '/status with figures', OTHER_APPEARANCES);
  });

  test('each has its own title and description, and browsers and search engines find their files', async ({ page }) => {
    const heads = new Set<string>();
    for (const { path } of PAGES) {
      const html = await (await page.request.get(path)).text();
      const title = /<title>(.+?)<\/title>/.exec(html)?.[1];
      const description = /<meta name="description" content="(.{40,}?)"/.exec(html)?.[1];
      expect([title, description], path).not.toContain(undefined);
      heads.add(`${title} ${description}`);
    }
    expect(heads.size).toBe(PAGES.length);
    for (const [file, type] of [
      ['/favicon.svg', 'image/svg+xml'],
      ['/favicon.ico', /^image\//],
      ['/apple-touch-icon.png', 'image/png'],
      ['/social.png', 'image/png'],
      ['/robots.txt', /^text\/plain/],
      ['/sitemap.xml', /^application\/xml/],
    ] as const) {
      const answer = await page.request.get(file);
      expect([file, answer.status()]).toEqual([file, 200]);
      expect(answer.headers()['content-type']).toMatch(type);
    }
  });
});

/** Asserts accessibility with a question open and the slider focused, then with the phone's menu open. */
async function useStartPage(page: Page, looks: typeof QUICK_APPEARANCES): Promise<void> {
  await page.goto('/');
  const question = page.locator('details').nth(2);
  await question.locator('summary').click();
  await expect(question).toHaveAttribute('open');
  await page.getByRole('slider').first().focus();
  await expectAccessible(page, 'question open, slider focused', looks);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await expect(page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Pricing' })).toBeVisible();
  const onPhone = looks.filter(([width]) => width === 390);
  await expectAccessible(page, 'menu open', onPhone);
}

async function openFigures(page: Page): Promise<void> {
  await page.route('**/api/v1/status', (route) => route.fulfill({ json: statusWithFigures() }));
  await page.goto('/status');
  const hours = page.getByRole('region', { name: 'The last 24 hours' });
  await expect(hours).toContainText('Generations240With a result95.0 %');
}

test.describe('the legal pages', () => {
  for (const { path, title, sections, bold } of LEGAL) {
    test(`${path} has its sections, to which its contents lead, and is printed as text alone, dark on white`, async ({
      page,
    }) => {
      await page.goto(path);
      await expect(page).toHaveTitle(`${title} · Plinth`);
      await expect(page.getByText('Last updated July 15, 2025', { exact: true })).toBeVisible();
      await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText(sections);
      for (const sentence of bold) await expect(page.locator('b').filter({ hasText: sentence }).first()).toBeVisible();
      await expect(contents(page).getByRole('link')).toHaveText(sections);
      for (const section of sections) {
        await contents(page).getByRole('link', { name: section, exact: true }).click();
        const heading = page.getByRole('heading', { level: 2, name: section, exact: true });
        await expect(heading).toBeInViewport();
        const bar = await page.getByRole('banner').boundingBox();
        const place = await heading.boundingBox();
        expect(place?.y, `${section} is not under the bar`).toBeGreaterThanOrEqual(bar?.height ?? 0);
      }

      await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
      await page.context().addCookies([{ name: 'theme', value: 'dark', url: productUrl() }]);
      await page.goto(path);
      await expect(h1(page, title)).toBeVisible();
      await expect(contents(page)).toBeHidden();
      await expect(page.getByRole('contentinfo')).toBeHidden();
      await expect(page.getByRole('link', { name: 'Login' })).toBeHidden();
      const colours = await page.locator('main p').evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
      for (const colour of colours) expect(luminance(colour), colour).toBeLessThan(0.1);
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(luminance(background)).toBeGreaterThan(0.9);
      const [lead, first] = await Promise.all(
        [page.locator('main .lead-text'), page.locator('main h2').first()].map((one) => one.boundingBox()),
      );
      expect(first?.y, 'room between the lead and the first section').toBeGreaterThan(bottom(lead) + 12);
    });
  }

  test('the contents stay beside the text on a wide screen and stand above it on a phone', async ({ page }) => {
    await page.goto('/privacy');
    await page.mouse.wheel(0, 1200);
    await expect(contents(page)).toBeInViewport();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/privacy');
    const [list, text] = await Promise.all([contents(page).boundingBox(), page.locator('#collected').boundingBox()]);
    expect(list?.y ?? 0).toBeLessThan(text?.y ?? 0);
  });
});

function bottom(box: { y: number; height: number } | null | undefined): number {
  return (box?.y ?? NaN) + (box?.height ?? NaN);
}

/** Relative luminance of "rgb(r, g, b)", WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map((text) => {
    const value = Number(text) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test('actions on the login page before its script loads are executed afterwards', async ({ page, expected }) => {
  expected.push(/status of 401 .*\/auth\/sign-in$/);
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((done) => (letGo = done));
  await page.route('**/assets/LoginPage*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('early@example.com');
  await page.getByLabel('Password', { exact: true }).fill('early-password');
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();
  letGo?.();
  await expect(errorBox(page)).toHaveText('Invalid email or password. Please try again.');
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('early@example.com');
});

test('a login page whose script failed to load says so, and works with the next click', async ({ page, expected }) => {
  expected.push(/ERR_FAILED.*\/LoginPage/, /status of 401 .*\/auth\/sign-in$/);
  await page.route(/\/LoginPage-[^/]*\.js/, (route) => route.abort(), { times: 1 });
  await page.goto('/login');
  const unfetched = page.getByText('Part of this page could not be fetched. Check your connection and try again.');
  await expect(unfetched).toBeVisible();
  await page.getByLabel('Email', { exact: true }).fill('late@example.com');
  await page.getByLabel('Password', { exact: true }).fill('late-password');
  await page.locator('form').getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(errorBox(page)).toHaveText('Invalid email or password. Please try again.');
  await expect(unfetched).toBeHidden();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('every page can be read, and leads on', async ({ page, expected }) => {
    expected.push(SAYS_404);
    for (const { path, heading } of [...PAGES, NOT_FOUND]) {
      await page.goto(path);
      await expect(h1(page, heading)).toBeVisible();
      await expect(page.getByRole('link', { name: 'Plinth, home' }).first()).toHaveAttribute('href', '/');
    }
    await page.goto('/terms');
    await contents(page).getByRole('link', { name: 'Termination' }).click();
    await expect(page.getByRole('heading', { name: 'Termination' })).toBeInViewport();
    await page.getByRole('main').getByRole('link', { name: 'Privacy Policy' }).click();
    await expect(h1(page, 'Privacy Policy')).toBeVisible();
  });
});

test.describe('with the keyboard', () => {
  test('the start page can be used with the keyboard alone', async ({ page }) => {
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    const stops = await walk(page);
    const missed = await listControls(page).evaluateAll((all, seen) => {
      const isIn = (control: Element) => seen.includes(control.getAttribute('data-stop') ?? '');
      const isOfGroup = (control: Element) =>
        control instanceof HTMLInputElement &&
        control.type === 'radio' &&
        [...document.querySelectorAll(`input[name="${control.name}"]`)].some(isIn);
      return all
        .filter((control) => control.checkVisibility() && !isIn(control) && !isOfGroup(control))
        .map((control) => control.outerHTML.slice(0, 120));
    }, stops);
    expect(missed, 'controls that Tab does not reach').toEqual([]);
    await page.reload();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const isInMain = await page.evaluate(() => document.activeElement?.closest('main') !== null);
    expect(isInMain, 'the skip link leads into the main part').toBe(true);
  });
});

const listControls = (page: Page): Locator =>
  page.locator('a[href], button, summary, input:not([type="hidden"]), select, textarea, [tabindex="0"]');

/**
 * Presses Tab to the end of the page. Asserts that each stop is visible, uncovered and has a ring. Returns its marks.
 */
async function walk(page: Page): Promise<string[]> {
  const stops: string[] = [];
  for (let presses = 0; presses < 120; presses += 1) {
    const mark = String(presses);
    const stop = await page.evaluate((at) => {
      const element = document.activeElement;
      if (element === null || element === document.body || element.hasAttribute('data-stop')) return null;
      element.setAttribute('data-stop', at);
      const candidates = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null);
      const hasRing = candidates.some((one) => {
        const { outlineStyle, boxShadow } = getComputedStyle(one);
        return outlineStyle !== 'none' || boxShadow !== 'none';
      });
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const isInWindow = bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth;
      const bar = document.querySelector('header')?.getBoundingClientRect();
      const isCovered = !element.closest('header') && !element.matches('.skip-link') && bottom <= (bar?.bottom ?? 0);
      return { name: element.outerHTML.slice(0, 120), hasRing, isInWindow, isCovered };
    }, mark);
    if (stop === null) return stops;
    expect(stop).toMatchObject({ hasRing: true, isInWindow: true, isCovered: false });
    stops.push(mark);
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never reaches the end of the page');
}
