// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { type PackCheck, packs } from '@plinth/contract/packs';
import { renderScreen } from '../../test/screen.tsx';
import { startServer } from '../../test/server.ts';
import { PackCard } from './PackCard.tsx';

let chosen: boolean[] = [];
beforeEach(() => void (chosen = []));

async function setUp(found: Partial<PackCheck>, hasShadow = false, id: PackCheck['pack'] = 'amazon-main') {
  const { origin } = await startServer({});
  const check: PackCheck = { pack: id, ready: false, canFix: false, refusal: null, rules: [], ...found };
  const acts = { onChoose: (isChosen: boolean) => void chosen.push(isChosen), onSave() {}, onLeave() {} };
  const shared = { hasShadow, mediaId: 'med_1', lookId: null, toolId: 'headshot-generator', ...acts } as const;
  renderScreen(<PackCard {...shared} check={check} isCutout={false} isChosen={false} />, { origin });
  await screen.findByText(packs[id].name);
  return document.querySelector('.pack-shown img')?.getAttribute('src');
}

test('where no file can be made, the picture itself stands there, and its background is removed for this shop', async () => {
  expect(await setUp({ refusal: 'cutout_needed', canFix: true })).toMatch(/med_1\/preview/);
  const way = screen.getByRole('link', { name: 'Remove the background' });
  expect(way.getAttribute('href')).toBe('/dashboard/remover?photo=med_1&then=export');
  await userEvent.setup().click(way);
  expect(chosen).toEqual([true]);
});

test.each([{ canFix: true }, { ready: true }])(
  'a cut-out is named where it is all that is missing: %o',
  async (found) => {
    await setUp({ refusal: 'cutout_needed', ...found });
    expect(screen.queryByText(/larger|too small/i)).toBe(null);
    expect(screen.getByRole('link', { name: 'Remove the background' })).toBeTruthy();
  },
);

test('what a shop does not want can be exported all the same', async () => {
  await setUp({});
  expect(screen.getByText('This shop wants no picture that a model drew.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export for Amazon, main picture' }).getAttribute('aria-disabled')).toBe(
    'false',
  );
});

test('a larger photo is chosen where this picture was made', async () => {
  expect(await setUp({ refusal: 'picture_too_small' })).toMatch(/packs\/amazon-main/);
  const way = screen.getByRole('link', { name: 'Use a larger photo' });
  expect(way.getAttribute('href')).toMatch(/^\/dashboard\/headshot-generator#field-/);
});

test.each([
  ['amazon-main', /, without the shadow$/],
  ['etsy', /, with the shadow$/],
] as const)('it is said of each shop whether its file takes the shadow of the look: %s', async (id, says) => {
  await setUp({ ready: true }, true, id);
  expect(screen.getByText(says)).toBeTruthy();
});
