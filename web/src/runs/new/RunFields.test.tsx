// @vitest-environment jsdom
import { useState } from 'react';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { errors } from '@plinth/contract/errors';
import { lookSchema, standardLook } from '@plinth/contract/looks';
import { expect, test } from 'vitest';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { factsOf, validateRunForm, FRESH_FORM, type RunForm } from '../run-form.ts';
import { RunFields } from './RunFields.tsx';

const look = (id: string, scale: 'frame' | 'height') =>
  lookSchema.parse({ id, name: id, createdAt: '2026-11-21T10:00:00.000Z', ...standardLook, scale });

let form: RunForm = { ...FRESH_FORM, name: 'Mugs', tool: 'remover' };
function Stateful() {
  const [shown, setShown] = useState(form);
  const change = (part: Partial<RunForm>) => {
    form = { ...form, ...part };
    setShown(form);
  };
  return <RunFields form={shown} wrong={null} isLocked={false} onChange={change} />;
}

test('a look that is gone is chosen no more, nor its height', async () => {
  const { origin } = await startServer({ 'GET /api/v1/looks': json({ items: [] }) });
  form = { ...form, lookId: 'gone', heightCm: '0' };
  renderScreen(<Stateful />, { origin });
  await waitFor(() => expect(form).toMatchObject({ lookId: null, heightCm: '' }));
});

const HEIGHT = 'Height of each product, cm';

test('where a look has one scale, one height stands for every photo whose list names none', async () => {
  const { origin } = await startServer({
    'GET /api/v1/looks': json({ items: [look('Ruler', 'height'), look('Full', 'frame')] }),
  });
  renderScreen(<Stateful />, { origin });
  const user = userEvent.setup();
  await screen.findByRole('option', { name: 'Ruler' });
  await user.selectOptions(screen.getByLabelText(/^Look/), 'Full');
  expect(screen.queryByLabelText(new RegExp(HEIGHT))).toBeNull();
  await user.selectOptions(screen.getByLabelText(/^Look/), 'Ruler');
  const height = screen.getByLabelText(new RegExp(HEIGHT));
  for (const right of ['9.5', '9,5']) {
    await user.clear(height);
    await user.type(height, right);
    expect(validateRunForm(form)).toBeNull();
    expect(factsOf(form, {})).toEqual({ heightCm: '9.5' });
  }
  expect(factsOf(form, { facts: { heightCm: '12', asin: 'B000123456' } })).toEqual({
    heightCm: '12',
    asin: 'B000123456',
  });
  for (const wrong of ['0', '1001', '9,500', 'five']) {
    await user.clear(height);
    await user.type(height, wrong);
    expect(validateRunForm(form)).toEqual({ sentence: errors.height_invalid.detail, fields: ['heightCm'] });
  }
  await user.selectOptions(screen.getByLabelText(/^Look/), 'Full');
  expect(screen.queryByLabelText(new RegExp(HEIGHT))).toBeNull();
  expect(factsOf(form, {})).toEqual({});
});

test('a height that is not asked for with another tool is neither refused nor sent', () => {
  const other = { ...form, name: 'Mugs', tool: 'text-to-image', texts: { prompt: 'oak' }, heightCm: '0' } as const;
  expect(validateRunForm(other)).toBeNull();
  expect(factsOf(other, {})).toEqual({});
});
