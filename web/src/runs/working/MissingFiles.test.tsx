// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeGeneration, makeResult, makeRun, makeRunItem } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { MissingFiles } from './Problems.tsx';

const lacking = (id: string, refusal: 'picture_too_small' | 'cutout_needed') =>
  makeRunItem({
    id,
    filename: `${id}.jpg`,
    generation: makeGeneration({
      tool: 'remover',
      input: {},
      runId: 'run_1',
      status: 'succeeded',
      result: makeResult(),
    }),
    missingFiles: [{ pack: 'etsy', refusal }],
  });

test('pictures that lack a file for one reason are one group, which says it once', async () => {
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/tools': json({ items: [], nextCursor: null }),
  });
  const small = ['one', 'two', 'three', 'four', 'five'].map((id) => lacking(id, 'picture_too_small'));
  renderScreen(
    <MissingFiles run={makeRun({ status: 'finished' })} items={[...small, lacking('six', 'cutout_needed')]} />,
    {
      origin,
    },
  );
  expect(await screen.findAllByText(/^Too small for Etsy\./)).toHaveLength(1);
  const groups = screen.getAllByRole('group');
  expect(groups.map((group) => within(group).getAllByText(/\.jpg$/).length)).toEqual([5, 1]);
  expect(groups.map((group) => group.hasAttribute('open'))).toEqual([false, true]);
  expect(within(groups[0]!).getAllByLabelText(/^Larger photo, 1 credit, for /, { selector: 'input' })).toHaveLength(5);
});
