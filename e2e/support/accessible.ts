import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { expect } from './journey.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'];
/** The rules that look at colours: all that the dark theme can break, whose pages are those of the light one. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const WIDE = { width: 1440, height: 900 };

/** How somebody may see a page: the width of the window, and the theme. */
type Look = readonly [width: number, theme: 'light' | 'dark'];
/** Each width and each theme once: all that a quick journey looks at. */
export const QUICK_LOOKS: readonly Look[] = [
  [1440, 'dark'],
  [390, 'light'],
];
/** The rest, for a slow journey to the same screen. */
export const OTHER_LOOKS: readonly Look[] = [
  [1440, 'light'],
  [390, 'dark'],
];
const ALL_LOOKS: readonly Look[] = [...QUICK_LOOKS, ...OTHER_LOOKS];

/** Phones, a tablet upright and lying, a desk. */
const WIDTHS = [320, 390, 768, 1024, 1440];

/** Nothing stands beyond the right edge of the window at any of these widths. Ends at 1440. */
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

/** Nothing for axe to say in these looks: all its rules in light, those of colour in dark. Ends at 1440, light. */
export async function expectAccessible(page: Page, screen: string, looks = ALL_LOOKS): Promise<void> {
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 900 });
    // What the bar at the top happens to cover in the middle of a page is no small target.
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
    await page.emulateMedia({ colorScheme });
    await settle(page);
    const rules = colorScheme === 'light' ? RULES : COLOUR_RULES;
    expect(await findViolations(page, rules), `${screen} at ${width}, ${colorScheme}`).toEqual([]);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Waits for the colours to arrive; what turns for ever is not waited for. */
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
 * Rule and place of everything that axe-core holds against WCAG 2.2 A and AA. Nothing fades while it looks: a toast
 * that is leaving has too little contrast for a moment, which is nothing that anybody reads.
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
