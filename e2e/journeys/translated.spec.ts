import type { Page } from '@playwright/test';
import { balance, expect, expectResult, stage, test } from '../support/journey.ts';
import { buyPackage, makeSeller } from '../support/makers.ts';

/** Wraps every text, present or future, in a <font> element, as a browser's translator does. */
async function translate(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const wrap = (text: Node) => {
      const font = document.createElement('font');
      text.parentNode?.replaceChild(font, text);
      font.append(`${text.nodeValue}\u200b`);
    };
    const wrapAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Node[] = [];
      while (walker.nextNode()) {
        const { parentElement, nodeValue } = walker.currentNode;
        const isWords =
          /[a-z]/i.test(nodeValue ?? '') && !/^(FONT|SCRIPT|STYLE|TEXTAREA)$/.test(parentElement?.tagName ?? '');
        if (isWords) texts.push(walker.currentNode);
      }
      texts.forEach(wrap);
    };
    document.addEventListener('DOMContentLoaded', () => {
      wrapAll();
      new MutationObserver(wrapAll).observe(document.body, { childList: true, subtree: true });
    });
  });
}

test('a page that the browser translates still signs in, makes a picture and shows the balance', async ({ page }) => {
  await makeSeller(page, 'basic');
  await translate(page);
  await page.goto('/dashboard/remover');
  await expect.poll(() => page.locator('main font').count(), 'texts that were translated').toBeGreaterThan(10);
  await page.getByRole('button', { name: /Use the sample dropper/ }).click();
  await page.getByRole('button', { name: /^Remove Background/ }).click();
  await expectResult(page);
  await expect(stage(page).getByRole('button', { name: /Download Result/ })).toBeVisible();
  await buyPackage(page, 'basic');
  await expect(balance(page)).toHaveAccessibleName(/Credits: 19/);
  await page
    .getByRole('link', { name: /History/ })
    .first()
    .click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await page.goBack();
  await expectResult(page);
  await expect(page.getByText('This screen stumbled.')).toBeHidden();
});
