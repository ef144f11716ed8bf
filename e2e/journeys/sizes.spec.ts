import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { expect, test } from '../support/journey.ts';
import { makeSeller } from '../support/makers.ts';

// Bytes that a first visit loads, in kilobytes of 1000 bytes. Text counts with gzip compression, pictures and fonts
// without.
const KB = 1000;
const KINDS = ['document', 'stylesheet', 'script', 'font'];
type Loaded = { kind: string; path: string; bytes: number };

/** Opens a page and measures what it loads until `isThere` resolves. */
async function load(page: Page, path: string, isThere = () => page.waitForLoadState('networkidle')): Promise<Loaded[]> {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  await page.goto(path);
  await isThere();
  return Promise.all(responses.filter((response) => KINDS.includes(kindOf(response))).map(weigh));
}

const kindOf = (response: Response) => response.request().resourceType();

async function weigh(response: Response): Promise<Loaded> {
  const kind = kindOf(response);
  const body = await response.body();
  const bytes = kind === 'font' ? body.byteLength : gzipSync(body, { level: 9 }).byteLength;
  return { kind, path: new URL(response.url()).pathname, bytes };
}

/** Asserts a limit on the sum of these kinds. A failure lists the files. */
function expectWithin(limitKb: number, loaded: Loaded[], kinds: string[]): void {
  const counted = loaded.filter(({ kind }) => kinds.includes(kind));
  const bytes = counted.reduce((sum, one) => sum + one.bytes, 0);
  const list = counted.map(({ path, bytes: own }) => `${(own / KB).toFixed(1)} ${path}`).join('\n');
  expect(counted.length, 'files that count').toBeGreaterThan(0);
  expect(bytes / KB, `${kinds.join(' and ')}, in KB:\n${list}\n`).toBeLessThanOrEqual(limitKb);
}

test('the start page loads at most 80 KB of script, 24 KB of page and style, one font of 42 KB, and 220 KB of hero', async ({
  page,
}) => {
  const loaded = await load(page, '/');
  expectWithin(80, loaded, ['script']);
  expectWithin(24, loaded, ['document', 'stylesheet']);
  expect(loaded.filter(({ kind }) => kind === 'font')).toHaveLength(1);
  expectWithin(42, loaded, ['font']);
  await expectHeroWithin(220, page);
});

test('the login page loads at most 90 KB of script', async ({ page }) => {
  expectWithin(90, await load(page, '/login'), ['script']);
});

test('the legal pages load no script', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  for (const path of ['/privacy', '/terms']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  expect(scripts).toEqual([]);
});

for (const { width, tag } of [{ width: 1440 }, { width: 390, tag: '@slow' }]) {
  test(
    `the dashboard with a tool loads at most 200 KB of script at ${width} px`,
    { tag: tag ?? [] },
    async ({ page }) => {
      await makeSeller(page);
      await page.setViewportSize({ width, height: 844 });
      // The event stream never ends, so the network is never idle here. The complete screen marks the end.
      const loaded = await load(page, '/dashboard/text-to-image', () =>
        expect(page.getByText('Built-in engine')).toBeVisible(),
      );
      expectWithin(200, loaded, ['script']);
    },
  );
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 900 }, deviceScaleFactor: 2 });

  test('the two pictures of the hero weigh at most 70 KB together @slow', async ({ page }) => {
    await page.goto('/');
    await expectHeroWithin(70, page);
  });
});

/** Asserts a limit on the hero's two visible pictures. */
async function expectHeroWithin(limitKb: number, page: Page): Promise<void> {
  const pictures = page.locator('main section').first().locator('.compare img');
  const pair = await pictures.evaluateAll(async (all: HTMLImageElement[]) => {
    const seen = all.filter((image) => image.checkVisibility());
    await Promise.all(seen.map((image) => image.decode()));
    return seen.map((image) => new URL(image.currentSrc).pathname);
  });
  expect(pair.filter((path) => path.endsWith('.avif'))).toHaveLength(2);
  const sizes = await Promise.all(pair.map(async (path) => (await page.request.get(path)).body()));
  expect(sizes.reduce((sum, body) => sum + body.byteLength, 0) / KB).toBeLessThanOrEqual(limitKb);
}
