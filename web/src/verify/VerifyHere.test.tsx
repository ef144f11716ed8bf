// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Verified } from '@plinth/contract/origin';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, refuse, startServer } from '../../test/server.ts';
import { ListingSentences, Verifier } from './VerifyHere.tsx';
import { sayType, sayVerdict } from './sentences.ts';

// As over plain HTTP; what a browser does by itself is seen in a journey.
beforeEach(() => vi.stubGlobal('crypto', {}));
afterEach(() => vi.unstubAllGlobals());

const MADE: Verified = {
  made: true,
  by: 'Plinth engine',
  changed: false,
  signed: 'self',
  type: 'compositeSynthetic',
  chain: [
    { by: 'Plinth engine', action: 'c2pa.created', at: '2026-11-26T20:00:00.123Z' },
    { by: null, action: 'c2pa.color_adjustments', at: null },
  ],
};
const NONE: Verified = { made: false, by: null, changed: null, signed: 'none', type: null, chain: [] };
const plain = () => new File([new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 0])], 'mug.jpg', { type: 'image/jpeg' });
const field = () => screen.findByLabelText(/choose a file/);

async function show(answers: Parameters<typeof startServer>[0]) {
  const { origin, asked } = await startServer({ 'GET /api/v1/signers': json({ items: [] }), ...answers });
  renderScreen(<Verifier />, { origin });
  return asked;
}

test('what the server cannot read is said, and another file can be chosen', async () => {
  await show({ 'POST /api/v1/verify': inTurn(refuse('image_unreadable'), json(NONE)) });
  await userEvent.upload(await field(), plain());
  await userEvent.click(await screen.findByRole('button', { name: 'Let the server look' }));
  await screen.findByText('Failed to load image. Please try another file.');
  expect(screen.queryByAltText('Your picture'), 'what cannot be read is not shown').toBe(null);
  await userEvent.upload(await field(), plain());
  await userEvent.click(await screen.findByRole('button', { name: 'Let the server look' }));
  await screen.findByRole('heading', { name: 'It says nothing of where it comes from.' });
  expect(screen.queryByText('Signed'), 'the heading says it').toBeNull();
});

test('a browser that knows no such signature asks before the server looks', async () => {
  const asked = await show({ 'POST /api/v1/verify': json(MADE) });
  await userEvent.upload(await field(), plain());
  await userEvent.click(await screen.findByRole('button', { name: 'Let the server look' }));
  await screen.findByRole('heading', { name: 'Made here by Plinth engine. It is as it was then.' });
  screen.getByText('Partly drawn by a program');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'created by Plinth engine, 2026-11-26 20:00 UTC',
    'color adjustments by somebody',
  ]);
  expect(asked).toEqual(['GET /api/v1/signers', 'POST /api/v1/verify']);
});

test('a clip is named, because the well shows only pictures', async () => {
  await show({});
  await userEvent.upload(await field(), new File([new Uint8Array(8)], 'mug.mp4', { type: 'video/mp4' }));
  await screen.findByText('mug.mp4');
});

test('a refusal of the server is shown', async () => {
  await show({ 'GET /api/v1/signers': refuse('temporarily_unavailable') });
  await userEvent.upload(await field(), plain());
  await screen.findByText('The service is temporarily unavailable. Please try again.');
});

test.each<[Partial<Verified>, string]>([
  [{ ...MADE, changed: true }, 'Made here by Plinth engine. It was changed since.'],
  [{ ...MADE, changed: null }, 'Made here by Plinth engine.'],
  [{ signed: 'other', changed: false }, 'Not made here. Somebody else signed it. It is as it was then.'],
  [{ changed: true }, 'What it says of its making was damaged or forged. Nobody vouches for it.'],
  [{ type: 'digitalCapture' }, 'It says how it was made, but nobody signed that: anybody could have written it.'],
])('%j is one sentence', (part, sentence) => {
  expect(sayVerdict({ ...NONE, ...part })).toBe(sentence);
});

test('a kind that nobody here knows is named as the file has it', () => {
  expect(sayType('humanEdits')).toBe('humanEdits');
});

test('a sentence for a listing is copied, and that is said', async () => {
  const { origin } = await startServer({});
  renderScreen(<ListingSentences />, { origin });
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Copy the sentence for Etsy' }));
  await screen.findByText('The sentence for Etsy is copied.');
  expect(await navigator.clipboard.readText()).toMatch(/^The photos show the item that you get\./);
});
