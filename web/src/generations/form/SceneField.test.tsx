// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tools } from '@plinth/contract/tools';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { SceneField } from './SceneField.tsx';

const shared = { value: '', isLocked: false, errorId: undefined, onChange: () => {} };
const ofScene = tools['text-to-image'].fields.prompt;
const ofMotion = tools['image-to-video'].fields.prompt;

test('a field without scenes offers its example texts, also where another has fetched the scenes', async () => {
  const scenes = [{ id: 'oak', words: 'oak table', imageUrl: '/oak.webp' }];
  const { origin } = await startServer({ 'GET /api/v1/scenes': json({ items: scenes }) });
  renderScreen(
    <>
      <SceneField {...shared} name="scene" field={ofScene} />
      <SceneField {...shared} name="motion" field={ofMotion} />
    </>,
    { origin },
  );
  expect(await screen.findByRole('button', { name: 'See all 1' })).toBeTruthy();
  // A title with the same words would be read after them.
  expect(screen.getByRole('button', { name: 'Oak table' }).title).toBe('');
  expect(screen.getByRole('button', { name: ofMotion.suggestions[0]! })).toBeTruthy();
  expect(screen.queryByRole('button', { name: ofScene.suggestions[0]! })).toBeNull();
});
