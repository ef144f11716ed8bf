// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { sayLacking } from '../run-form.ts';
import { RunPrice } from './RunPrice.tsx';

const form = { name: 'Mugs', tool: 'text-to-image', texts: {}, packs: [], lookId: null, heightCm: '' } as const;

async function setUp(texts: Record<string, string>) {
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits: 12 }) });
  const shared = { count: 4, sizeWarnings: [], cost: 1, refusal: null, isStarting: false };
  renderScreen(<RunPrice {...shared} lacking={sayLacking({ ...form, texts }, 4, 0)} />, { origin });
  return screen.findByRole('button', { name: /^Start/ });
}

test('a catalogue cannot be started without its required words, and says so', async () => {
  const start = await setUp({ prompt: '  ' });
  expect(start.getAttribute('aria-disabled')).toBe('true');
  expect(document.getElementById('run-why')?.textContent).toBe('Please provide a scene description.');
  expect(start.getAttribute('aria-describedby')).toContain('run-why');
});

test('with them it can', async () => {
  expect((await setUp({ prompt: 'wooden table' })).getAttribute('aria-disabled')).toBe('false');
});

test('a catalogue lacks its photos first, then what is wrong with them, then its name', () => {
  const unnamed = { ...form, name: ' ' };
  expect(sayLacking(unnamed, 0, 0)).toBe('Add photos first.');
  expect(sayLacking(unnamed, 4, 1)).toBe('1 photo to mend or to leave out first.');
  expect(sayLacking(unnamed, 4, 0)).toBe('Please enter a name.');
});
