// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import {
  newWebhookEndpointSchema,
  type WebhookDelivery,
  webhookDeliverySchema,
  webhookEndpointSchema,
} from '@plinth/contract/webhooks';
import { renderScreen } from '../../test/screen.tsx';
import { type Answers, inTurn, json, refuse, startServer } from '../../test/server.ts';
import { WebhooksSection } from './WebhooksSection.tsx';

const endpoint = webhookEndpointSchema.parse({
  id: 'whe_1',
  url: 'https://shop.example/plinth',
  events: ['run.finished'],
  createdAt: '2026-11-21T10:00:00.000Z',
});
const created = newWebhookEndpointSchema.parse({ ...endpoint, secret: 'whsec_c2VjcmV0' });
const makeDelivery = (part: Partial<WebhookDelivery>) =>
  webhookDeliverySchema.parse({
    ...{ id: 'msg_1', event: 'test', status: 'pending', attempts: 0, nextTryAt: null },
    createdAt: '2026-11-21T10:00:00.000Z',
    ...part,
  });
const page = (...items: object[]) => json({ items, nextCursor: null });

async function setUp(answers: Answers) {
  const { origin, asked } = await startServer(answers);
  renderScreen(<WebhooksSection />, { origin });
  return { asked, user: userEvent.setup() };
}

test('a new endpoint shows its secret once, until the person has saved it', async () => {
  const { user } = await setUp({
    'GET /api/v1/webhook-endpoints': inTurn(page(), page(endpoint)),
    'POST /api/v1/webhook-endpoints': json(created, 201),
    'GET /api/v1/webhook-endpoints/whe_1/deliveries': json({ items: [] }),
  });
  await user.type(await screen.findByLabelText('Address'), endpoint.url);
  await user.click(screen.getByRole('button', { name: 'Add endpoint' }));
  const secret = await screen.findByLabelText<HTMLInputElement>('The secret of your new endpoint');
  expect(secret.value).toBe(created.secret);
  expect(document.activeElement).toBe(secret);
  expect(await screen.findByText('Nothing was sent yet.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(created.secret);
  await user.click(screen.getByRole('button', { name: 'I have saved it' }));
  expect(screen.queryByDisplayValue(created.secret)).toBe(null);
  expect(document.activeElement?.textContent).toBe('Webhooks');
  expect((await screen.findByLabelText<HTMLInputElement>('Address')).value).toBe('');
});

test('an address that is refused is named beside its field, and no event is a fault of its own', async () => {
  const { user, asked } = await setUp({
    'GET /api/v1/webhook-endpoints': page(),
    'POST /api/v1/webhook-endpoints': refuse('url_not_allowed'),
  });
  const address = await screen.findByLabelText('Address');
  await user.type(address, 'http://localhost{Enter}');
  expect(await screen.findByText('Use a public https address.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(address));
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Add endpoint' }));
  expect(await screen.findByText('Choose at least one event.')).toBeTruthy();
  expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
});

test('says what became of the last messages, sends a test, and deletes after a question', async () => {
  const items = [
    makeDelivery({ id: 'msg_3', attempts: 1, nextTryAt: '2026-11-21T10:05:00.000Z' }),
    makeDelivery({ id: 'msg_2', event: 'run.finished', status: 'failed', attempts: 10 }),
    makeDelivery({ id: 'msg_1', event: 'generation.finished', status: 'delivered', attempts: 1 }),
  ];
  const { user, asked } = await setUp({
    'GET /api/v1/webhook-endpoints': inTurn(page(endpoint), page()),
    'GET /api/v1/webhook-endpoints/whe_1/deliveries': json({ items }),
    'GET /api/v1/webhook-endpoints/whe_1/deliveries/msg_1': json({
      ...items[2],
      body: '{"type":"generation.finished","data":{"id":"gen_1"}}',
    }),
    'POST /api/v1/webhook-endpoints/whe_1/deliveries/msg_1/again': json(makeDelivery({ id: 'msg_1' }), 202),
    'POST /api/v1/webhook-endpoints/whe_1/test': json(makeDelivery({}), 202),
    'DELETE /api/v1/webhook-endpoints/whe_1': (_request, response) => void response.writeHead(204).end(),
  });
  const list = within(await screen.findByRole('list', { name: 'Last messages' }));
  const said = list.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(said).toEqual([
    expect.stringMatching(/^TestNov 21, .*Not delivered, next try Nov 21/),
    expect.stringMatching(/^CatalogueNov 21, .*Failed after 10 tries$/),
    expect.stringMatching(/^GenerationNov 21, .*Delivered$/),
  ]);
  await user.click(screen.getByText('Generation'));
  expect((await screen.findByLabelText('What it said')).textContent).toContain('"gen_1"');
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(asked).toContain('POST /api/v1/webhook-endpoints/whe_1/deliveries/msg_1/again'));
  await user.click(screen.getByRole('button', { name: `Send a test to ${endpoint.url}` }));
  await waitFor(() => expect(asked).toContain('POST /api/v1/webhook-endpoints/whe_1/test'));
  await user.click(screen.getByRole('button', { name: `Delete ${endpoint.url}` }));
  await user.click(await screen.findByRole('button', { name: 'Delete endpoint' }));
  await waitFor(() => expect(screen.queryByText(endpoint.url)).toBe(null));
  // Nothing is asked any more of one that is gone: each answer would be a 404.
  expect(asked.slice(asked.indexOf('DELETE /api/v1/webhook-endpoints/whe_1') + 1)).toEqual([
    expect.stringMatching(/^GET \/api\/v1\/webhook-endpoints(\?|$)/),
  ]);
  expect(document.activeElement?.textContent).toBe('Webhooks');
});

test('of a message that could not be read that is said', async () => {
  const { user } = await setUp({
    'GET /api/v1/webhook-endpoints': page(endpoint),
    'GET /api/v1/webhook-endpoints/whe_1/deliveries': json({
      items: [makeDelivery({ id: 'msg_1', status: 'failed' })],
    }),
  });
  await user.click(await screen.findByText('Test'));
  expect(await screen.findByText('This message could not be loaded.')).toBeDefined();
});

test('messages are looked up anew while one is on its way, and seldom where its next try is hours off', async () => {
  const soon = makeDelivery({ attempts: 1, nextTryAt: new Date(Date.now() + 1000).toISOString() });
  const late = makeDelivery({ attempts: 5, nextTryAt: new Date(Date.now() + 5 * 3_600_000).toISOString() });
  const second = { ...endpoint, id: 'whe_2', url: 'https://shop.example/second' };
  const { asked } = await setUp({
    'GET /api/v1/webhook-endpoints': page(endpoint, second),
    'GET /api/v1/webhook-endpoints/whe_1/deliveries': json({ items: [soon] }),
    'GET /api/v1/webhook-endpoints/whe_2/deliveries': json({ items: [late] }),
  });
  const timesAsked = (id: string) => asked.filter((one) => one.endsWith(`/${id}/deliveries`)).length;
  await waitFor(() => expect(timesAsked('whe_1')).toBe(2), { timeout: 10_000 });
  expect(timesAsked('whe_2')).toBe(1);
});

test('while one is being deleted no other one is', async () => {
  const second = { ...endpoint, id: 'whe_2', url: 'https://shop.example/second' };
  const { user, asked } = await setUp({
    'GET /api/v1/webhook-endpoints': page(endpoint, second),
    'DELETE /api/v1/webhook-endpoints/whe_1': () => {},
  });
  await user.click(await screen.findByRole('button', { name: `Delete ${endpoint.url}` }));
  await user.click(await screen.findByRole('button', { name: 'Delete endpoint' }));
  await waitFor(() => expect(asked).toContain('DELETE /api/v1/webhook-endpoints/whe_1'));
  const other = screen.getByRole('button', { name: `Delete ${second.url}` });
  await waitFor(() => expect(other.getAttribute('aria-disabled')).toBe('true'));
});
