// @vitest-environment jsdom
import type { ServerResponse } from 'node:http';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Run } from '@plinth/contract/runs';
import { makeGeneration, makeRun, makeRunItem } from '../../../test/makers.ts';
import { renderScreen } from '../../../test/screen.tsx';
import { json, startServer } from '../../../test/server.ts';
import { FailedItems } from './Problems.tsx';

type Code = 'provider_rejected' | 'provider_failed';

function failed(id: string, code: Code, cost: number) {
  const error = { code, message: code === 'provider_rejected' ? 'Which is it?' : 'It did not work.' };
  const generation = makeGeneration({
    id: `gen_${id}`,
    tool: 'remover',
    input: id === 'gone' ? null : {},
    runId: 'run_1',
    status: 'failed',
    refunded: true,
    cost,
    error,
  });
  return makeRunItem({ id, sku: null, filename: `${id}.jpg`, generation });
}

const served = (marks: readonly string[]) => ({
  id: 'remover',
  name: 'Remover',
  cost: 1,
  mediaType: 'product_image',
  servedBy: { kind: 'built-in', name: 'Built-in engine' },
  returnable: true,
  fields: marks.map((name) => ({ name, type: 'marks', required: false })),
});

async function setUp(codes: Record<string, Code>, part: Partial<Run> = {}, cost = 1, marks: string[] = []) {
  const bodies: string[] = [];
  const dropped: string[] = [];
  const run = makeRun({ status: 'finished', ...part });
  const { origin } = await startServer({
    'GET /api/v1/credits': json({ credits: 12 }),
    'GET /api/v1/tools': json({ items: marks.length > 0 ? [served(marks)] : [] }),
    'GET /api/v1/generations/gen_one/before': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/webp' }).end('photo'),
    ...Object.fromEntries(
      Object.keys(codes).map((id) => [
        `DELETE /api/v1/runs/run_1/items/${id}`,
        (_request: unknown, response: ServerResponse) => {
          dropped.push(id);
          response.writeHead(204).end();
        },
      ]),
    ),
    // One that still takes photos takes its time.
    'POST /api/v1/runs/run_1/retry': (request, response) => {
      request.on('data', (part: Buffer) => bodies.push(part.toString()));
      if (run.status !== 'open') request.on('end', () => void json(run, 202)(request, response));
    },
  });
  const items = Object.entries(codes).map(([id, code]) => failed(id, code, cost));
  renderScreen(
    <>
      <FailedItems run={run} items={items} />
    </>,
    { origin },
  );
  await screen.findByRole('heading', { name: /did not work$/ });
  return { bodies, dropped, user: userEvent.setup() };
}

test('sends and prices only the photos that were not refused', async () => {
  const { bodies, user } = await setUp({ one: 'provider_failed', two: 'provider_rejected', three: 'provider_failed' });
  await user.click(screen.getByRole('button', { name: /^Try 2 of them again, ?2 credits$/ }));
  await expect.poll(() => bodies).toEqual([JSON.stringify({ items: ['one', 'three'] })]);
});

test.each<[RegExp, Record<string, Code>]>([
  [/^Try it again, ?1 credit$/, { one: 'provider_failed' }],
  [/^Try 1 of them again, ?1 credit$/, { one: 'provider_failed', two: 'provider_rejected' }],
  [/^Try all 2 again, ?2 credits$/, { one: 'provider_failed', two: 'provider_failed' }],
])('offers %s', async (name, codes) => {
  await setUp(codes);
  expect(screen.getByRole('button', { name })).toBeTruthy();
});

test('a longer video costs more, and more comes back, also when its words are past their time', async () => {
  const longer = { tool: 'image-to-video', fields: {} } as const;
  await setUp({ one: 'provider_failed', two: 'provider_failed' }, longer, 12);
  expect(screen.getByRole('button', { name: /^Try all 2 again, ?24 credits$/ })).toBeTruthy();
  expect(screen.getByText('24 credits returned.')).toBeTruthy();
});

test('a refused photo is marked as the server has it', async () => {
  const { user } = await setUp({ one: 'provider_rejected' }, {}, 1, ['marks']);
  await user.click(await screen.findByRole('button', { name: 'Show us the product: one.jpg' }));
  expect(await screen.findByRole('dialog', { name: 'Show us the product: one.jpg' })).toBeTruthy();
});

test('a photo that could not be loaded is said to be, and one whose time is over is not offered', async () => {
  const { user } = await setUp({ two: 'provider_rejected', gone: 'provider_rejected' }, {}, 1, ['marks']);
  await user.click(await screen.findByRole('button', { name: 'Show us the product: two.jpg' }));
  expect(await screen.findByText('This photo could not be loaded.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show us the product: gone.jpg' })).toBeNull();
});

test('offers no other try where every photo was refused', async () => {
  await setUp({ one: 'provider_rejected', two: 'provider_rejected' });
  expect(screen.queryByRole('button', { name: /^Try/ })).toBeNull();
});

test('what failed for one reason stands together, the most frequent first, and can be left out at once', async () => {
  const { dropped, user } = await setUp({
    one: 'provider_failed',
    two: 'provider_rejected',
    three: 'provider_rejected',
    four: 'provider_rejected',
  });
  const groups = [...document.querySelectorAll('.failed-group > summary')].map(({ textContent }) => textContent);
  expect(groups).toEqual(['3 photosWhich is it?', '1 photoIt did not work.']);
  await user.click(screen.getByRole('button', { name: 'Leave all out' }));
  expect(screen.getByText('3 photos left out')).toBeTruthy();
  window.dispatchEvent(new Event('pagehide'));
  await expect.poll(() => dropped).toEqual(['two', 'three', 'four']);
});

test('what is left out stays in its place until it can be undone no more: the next one does not slide there', async () => {
  const { dropped, user } = await setUp({ one: 'provider_failed', two: 'provider_failed', three: 'provider_failed' });
  const leaveOut = (name: string) => user.click(screen.getByRole('button', { name: `Leave out ${name}.jpg` }));
  const rows = () => [...document.querySelectorAll('.failed-row .named')].map(({ textContent }) => textContent);
  await leaveOut('one');
  await user.click(screen.getByRole('button', { name: 'Left out one.jpg' }));
  await leaveOut('two');
  expect(rows()).toEqual(['one.jpg', 'two.jpg', 'three.jpg']);
  expect(screen.getByRole('button', { name: /^Try it again, ?1 credit$/ })).toBeTruthy();
  expect(screen.getByText('2 photos left out')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Leave out two.jpg' }));
  await leaveOut('three');
  window.dispatchEvent(new Event('pagehide'));
  await expect.poll(rows).toEqual(['one.jpg', 'two.jpg']);
  await expect.poll(() => dropped).toEqual(['three']);
});

test('what is being tried again cannot be left out meanwhile', async () => {
  const { user, bodies } = await setUp({ one: 'provider_failed', two: 'provider_failed' }, { status: 'open' });
  const leaveOut = screen.getByRole('button', { name: 'Leave all out' });
  expect(leaveOut.getAttribute('aria-disabled')).toBe('false');
  await user.click(screen.getByRole('button', { name: /^Try all 2 again/ }));
  await expect.poll(() => bodies).toHaveLength(1);
  await expect.poll(() => leaveOut.getAttribute('aria-disabled')).toBe('true');
});
