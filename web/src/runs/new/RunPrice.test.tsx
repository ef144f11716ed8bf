// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { findMissingInForm } from '../run-form.ts';
import { RunPrice } from './RunPrice.tsx';

const form = { name: 'Mugs', tool: 'text-to-image', texts: {}, packs: [], lookId: null, heightCm: '' } as const;

async function setUp(texts: Record<string, string>) {
  const { origin } = await startServer({ 'GET /api/v1/credits': json({ credits: 12 }) });
  const missing = findMissingInForm({ ...form, texts })?.sentence ?? null;
  const shared = { count: 4, problemCount: 0, foreseen: new Map(), cost: 1, refusal: null, isStarting: false };
  renderScreen(<RunPrice {...shared} missing={missing} />, { origin });
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

test('a catalogue without a name lacks it first', () => {
  expect(findMissingInForm({ ...form, name: ' ' })?.fields).toEqual(['name']);
});
