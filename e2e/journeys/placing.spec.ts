import type { Locator, Page } from '@playwright/test';
import { expect, expectResult, stage, test } from '../support/journey.ts';
import { openSceneForm } from '../support/makers.ts';
import { type Fingers, moveUntil } from '../support/touch.ts';

test.use({ hasTouch: true });

const value = async (page: Page, name: string) => Number(await page.getByRole('slider', { name }).inputValue());

/** Drags an element by its centre, by this many pixels. */
async function drag(page: Page, thing: Locator, right: number, down: number): Promise<void> {
  const { x, y, width, height } = (await thing.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + right, y + height / 2 + down, { steps: 5 });
  await page.mouse.up();
}

test('a product is moved, scaled and turned on its scene, by mouse and with two fingers, and generated there @slow', async ({
  page,
}) => {
  await openSceneForm(page);
  await page.getByRole('button', { name: 'Generate, 1 credit' }).click();
  await expectResult(page);
  await stage(page).getByRole('button', { name: 'Move, scale, turn' }).click();
  const board = stage(page).getByRole('application');
  await expect(board).toBeFocused();
  await expect(page.getByRole('button', { name: /^Make again/ }), 'one place to press').toBeHidden();
  const where = stage(page).getByText(/% across, \d+ % down/);
  // The position is announced when a key moves it: one step to the right and back.
  const readWhere = async () => {
    await board.press('ArrowRight');
    await board.press('ArrowLeft');
    return /(\d+) % across, (\d+) % down/
      .exec((await where.textContent()) ?? '')!
      .slice(1)
      .map(Number);
  };
  const [across, down] = (await readWhere()) as [number, number];
  // Announced in whole percent, so a value between two may be rounded either way.
  const expectNear = async (wanted: [number, number]) => {
    for (const [at, announced] of (await readWhere()).entries()) {
      expect(Math.abs(announced - wanted[at]!), `${announced} is near ${wanted[at]}`).toBeLessThanOrEqual(1);
    }
  };
  const box = (await board.boundingBox())!;

  await drag(page, board, 0.1 * box.width, -0.1 * box.height);
  await expectNear([across + 10, down - 10]);
  const size = await value(page, 'Size');
  await drag(page, board.locator('[data-grip=size]').first(), -0.05 * box.width, -0.05 * box.height);
  expect(await value(page, 'Size')).toBeGreaterThan(size);
  await drag(page, board.locator('[data-grip=turn]'), 0.1 * box.width, 0);
  expect(await value(page, 'Turn')).toBeGreaterThan(0);
  await expectNear([across + 10, down - 10]);

  const turned = await value(page, 'Turn');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const apart: Fingers = [
    { from: [x - 60, y], to: [x - 40, y - 10] },
    { from: [x + 60, y], to: [x + 40, y + 10] },
  ];
  const larger = await value(page, 'Size');
  await moveUntil(await page.context().newCDPSession(page), apart, async () => {
    expect(await value(page, 'Size')).toBeLessThan(larger);
    expect(await value(page, 'Turn')).toBeGreaterThan(turned);
  });
  await expectNear([across + 10, down - 10]);

  const [before, level] = (await readWhere()) as [number, number];
  await board.press('ArrowLeft');
  expect(await readWhere()).toEqual([before - 1, level]);
  await expect(stage(page).getByRole('img', { name: /^Result: / })).toHaveCount(0);
  await stage(page).getByRole('button', { name: 'Make it here, free, 3 left' }).click();
  await expectResult(page);
  await expect(stage(page).getByRole('slider'), 'nothing to compare in another place').toHaveCount(0);
  await expect(stage(page).getByRole('group', { name: 'Versions' }).getByRole('button')).toHaveCount(2);

  await page.setViewportSize({ width: 390, height: 844 });
  const place = stage(page).getByRole('button', { name: 'Move, scale, turn' });
  await place.evaluate((button) => button.scrollIntoView({ block: 'start' }));
  await expect(stage(page).getByRole('img', { name: /^Result: / })).not.toBeInViewport();
  await place.press('Enter');
  await expect(board).toBeInViewport({ ratio: 0.9 });
});
