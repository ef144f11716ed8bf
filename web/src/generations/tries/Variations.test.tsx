// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeGeneration, makeResult } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { putGeneration } from '../followed.ts';
import { Variations } from './Variations.tsx';

test('the version that is shown is brought into its row, where that is too short for all', async () => {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const [left, width] = this.matches('[aria-pressed=true]') ? [250, 80] : [0, 300];
    return DOMRect.fromRect({ x: left, width, height: 80 });
  });
  const { origin } = await startServer({ 'GET /api/v1/generations': json({ items: [], nextCursor: null }) });
  renderScreen(<Variations row={['gen_1', 'gen_2']} shownId="gen_1" onShow={() => {}} />, { origin });
  act(() => {
    for (const id of ['gen_1', 'gen_2'])
      putGeneration(makeGeneration({ id, status: 'succeeded', result: makeResult() }));
  });
  expect((await screen.findByRole('group', { name: 'Versions' })).scrollLeft).toBe(30);
});
