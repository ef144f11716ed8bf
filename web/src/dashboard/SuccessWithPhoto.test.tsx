// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useMemory } from '../generations/memory.ts';
import { FRESH, dropPhotos, putPhotos } from '../runs/photo-actions.ts';
import { NOT_STARTED } from '../runs/photos.ts';
import { renderScreen } from '../../test/screen.tsx';
import { json, startServer } from '../../test/server.ts';
import { SuccessWithPhoto } from './SuccessWithPhoto.tsx';

beforeEach(() => {
  useMemory.setState({ unfinished: null });
  dropPhotos(['a']);
});

test.each([
  ['a catalogue that has not started', NOT_STARTED, '/dashboard/catalogue/new'],
  ['a catalogue whose upload stopped', 'run_1', '/dashboard/catalogue/run_1'],
])('the way leads back to %s', async (_what, runId, path) => {
  const file = { name: 'a.jpg', path: 'a.jpg', type: 'image/jpeg', bytes: 5, addedAt: 1 };
  putPhotos([{ ...FRESH, ...file, id: 'a', runId }]);
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 20 }),
    'GET /api/v1/purchases': json({ items: [], nextCursor: null }),
  });
  renderScreen(<SuccessWithPhoto />, { origin, path: '/success' });
  expect((await screen.findByRole('link', { name: 'Back to your catalogue' })).getAttribute('href')).toBe(path);
});
