import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from './journey.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** The rules on colours. Both themes have the same markup, so the dark one can break only these. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const WIDE = { width: 1440, height: 900 };

/** A presentation of a page: window width in pixels, and theme. */
type Appearance = readonly [width: number, theme: 'light' | 'dark'];
/** Each width and each theme once, for quick journeys. */
export const QUICK_APPEARANCES: readonly Appearance[] = [
  [1440, 'dark'],
  [390, 'light'],
];
/** The other combinations, for a slow journey to the same screen. */
export const OTHER_APPEARANCES: readonly Appearance[] = [
  [1440, 'light'],
  [390, 'dark'],
];
const ALL_APPEARANCES: readonly Appearance[] = [...QUICK_APPEARANCES, ...OTHER_APPEARANCES];

/** Phones, a tablet in portrait and landscape, a desktop. */
const WIDTHS = [320, 390, 768, 1024, 1440];

/** Asserts that the page has no horizontal overflow at these widths. Ends at 1440 px. */
export async function expectNoSidewaysScroll(page: Page, screen: string, widths = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), {
        message: `${screen} scrolls sideways at ${width}`,
      })
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(WIDE);
}

/** Asserts that axe finds nothing: all rules in light, colour rules in dark. Ends at 1440 px, light. */
export async function expectAccessible(page: Page, screen: string, appearances = ALL_APPEARANCES): Promise<void> {
  for (const [width, colorScheme] of appearances) {
    await page.setViewportSize({ width, height: 900 });
    // Mid-page the sticky top bar may cover a target partly, which axe would report as too small.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await page.emulateMedia({ colorScheme });
    await settle(page);
    const rules = colorScheme === 'light' ? RULES : COLOUR_RULES;
    expect(await findViolations(page, rules), `${screen} at ${width}, ${colorScheme}`).toEqual([]);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits for transitions of colours to end, but not for endless animations. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
}

/**
 * Returns rule and target of each violation of WCAG 2.2 A and AA that axe-core finds. Transitions are off meanwhile,
 * because a toast that fades out briefly has too little contrast.
 */
export async function findViolations(page: Page, rules = RULES): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults, string[]>(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run: (options: object) => Promise<AxeResults> } };
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important; }');
    document.adoptedStyleSheets.push(still);
    const results = await axe.run({ runOnly, resultTypes: ['violations'] });
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
    return results;
  }, rules);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
