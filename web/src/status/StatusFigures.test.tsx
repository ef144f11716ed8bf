// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Status, statusSchema, type ToolFigures } from '@plinth/contract/status';
import { renderScreen } from '../../test/screen.tsx';
import { inTurn, json, refuse, startServer } from '../../test/server.ts';
import { listDates } from './figures.ts';
import { StatusFigures } from './StatusFigures.tsx';

const figures = (part: Partial<ToolFigures>): ToolFigures => ({
  ended: 100,
  succeeded: 100,
  refused: 0,
  failed: 0,
  medianSeconds: 1.2,
  p95Seconds: 4,
  creditsReturned: 0,
  ...part,
});
const UP = { engine: 'up', payments: 'up', storage: 'up', queue: 'up' } as const;
const NOTHING: Status = { parts: UP, hours24: { tools: {} }, days30: { tools: {} }, days: [], toolDays: {} };

async function show(...answers: Parameters<typeof inTurn>) {
  const { origin, asked } = await startServer({ 'GET /api/v1/status': inTurn(...answers) });
  renderScreen(<StatusFigures />, { origin });
  return asked;
}

test('the last 24 hours are summed up, and each tool has a row of figures and bars', async () => {
  const [yesterday = '', today = ''] = listDates(new Date()).slice(-2);
  const days = [
    { date: yesterday, ended: 40, succeeded: 20 },
    { date: today, ended: 80, succeeded: 80 },
  ];
  const remover = figures({ ended: 1204, succeeded: 1203, failed: 1, creditsReturned: 1 });
  const status = {
    parts: { ...UP, payments: 'down', queue: 'slow' },
    hours24: {
      tools: {
        'text-to-image': figures({ ended: 312, succeeded: 302, creditsReturned: 9 }),
        remover: figures({ creditsReturned: 1 }),
      },
    },
    days30: { tools: { remover, 'image-to-video': figures({ succeeded: 0, medianSeconds: null, p95Seconds: null }) } },
    days,
    toolDays: { remover: days },
  };
  await show(json(statusSchema.parse(status)));
  const read = (part: HTMLElement | undefined) => [...part!.querySelectorAll('dl div')].map((one) => one.textContent);
  const hours = await screen.findByRole('region', { name: 'The last 24 hours' });
  expect(read(hours)).toEqual(['Generations412', 'With a result97.6 %', 'Credits returned10']);
  within(hours).getByText('Tools with fewer than 20 generations are not counted here.');
  screen.getByText(/^Fewer than 20 generations, too few for figures: .*Headshot/);
  screen.getByText('Payments: down. Queue: slow.');
  expect(
    within(screen.getByRole('list', { name: 'Parts' }))
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual([
    'EngineMakes the pictures.Up',
    'PaymentsDoes not answer.Down',
    'StorageKeeps photos and results.Up',
    'QueueGenerations may wait for more than a minute.Slow',
  ]);
  const rows = screen.getAllByRole('article');
  expect(rows.map((row) => within(row).getByRole('heading').textContent)).toEqual([
    'Remover Background',
    'Product Video Generate',
  ]);
  expect(read(rows[0])).toEqual([
    ...['Median1.2 s', '95 % within4.0 s', 'Generations1,204'],
    ...['With a result99.9 %', 'Refused0 %', 'Failed0.1 %', 'Credits returned1'],
  ]);
  expect(read(rows[1]).slice(0, 4)).toEqual(['MedianNone', '95 % withinNone', 'Generations100', 'With a result0 %']);
  within(rows[0]!).getByRole('img', { name: 'Bars of 2 days, at most 80 generations a day' });
  const heights = (fill: string) =>
    [...rows[0]!.querySelectorAll(`[fill="var(--${fill})"]`)].map((one) => one.getAttribute('height'));
  expect([heights('line').length, heights('edge'), heights('ink')]).toEqual([28, ['50', '100'], ['25', '100']]);
});

test('too little is said to be too little', async () => {
  await show(json(NOTHING));
  await screen.findByRole('heading', { name: 'No figures yet' });
  screen.getByText(/is shown once it has ended 20 generations\.$/);
  screen.getByText('Everything is up.');
  expect(screen.queryByRole('heading', { name: 'The last 30 days' }), 'said once').toBe(null);
});

test('figures that cannot be read are not made up, and can be asked for again', async () => {
  const asked = await show(refuse('temporarily_unavailable'), json(NOTHING));
  await screen.findByText('The figures cannot be read right now.');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'No figures yet' });
  expect(asked).toHaveLength(2);
});
