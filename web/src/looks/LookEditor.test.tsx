// @vitest-environment jsdom
import type { IncomingMessage } from 'node:http';
import { useState } from 'react';
import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errors } from '@plinth/contract/errors';
import { lookSchema, standardLook } from '@plinth/contract/looks';
import { renderScreen } from '../../test/screen.tsx';
import { type Answer, inTurn, json, refuse, startServer } from '../../test/server.ts';
import { LookEditor } from './LookEditor.tsx';
import { readLookFile } from './useLooks.ts';
import { LookSelect } from './LookSelect.tsx';

const CREATED = '2026-11-21T10:00:00.000Z';
const soft = lookSchema.parse({ id: 'look_1', name: 'Soft', createdAt: CREATED, ...standardLook, shadow: 'soft' });

async function readBody(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as object;
}

function Stateful() {
  const [lookId, setLookId] = useState<string | null>(null);
  return <LookEditor lookId={lookId} mediaId="med_1" onChoose={setLookId} />;
}

/** As in the form of a catalogue: the editor stands beside the choice. */
function Beside() {
  const [lookId, setLookId] = useState<string | null>(null);
  return (
    <>
      <section aria-label="Form">
        <LookSelect value={lookId} onChange={setLookId} />
      </section>
      <LookEditor lookId={lookId} mediaId={null} onChoose={setLookId} />
    </>
  );
}

async function setUp(given?: Answer, shownScreen = <Stateful />) {
  const sent: object[] = [];
  let looks: object[] = [soft];
  const list: Answer = given ?? ((request, response) => json({ items: looks })(request, response));
  const take =
    (id: string): Answer =>
    async (request, response) => {
      const body = await readBody(request);
      if ('name' in body && body.name === '') return refuse('name_required')(request, response);
      sent.push(body);
      const saved = { ...body, id, createdAt: CREATED };
      looks = [saved, ...looks.filter((one) => 'id' in one && one.id !== id)];
      await json(saved)(request, response);
    };
  const { origin, asked } = await startServer({
    'GET /api/v1/looks': list,
    'POST /api/v1/looks': take('look_2'),
    'PUT /api/v1/looks/look_1': take('look_1'),
    'DELETE /api/v1/looks/look_1': (_request, response) => {
      looks = [];
      response.writeHead(204).end();
    },
  });
  const { queryClient } = renderScreen(shownScreen, { origin });
  await screen.findAllByRole('option', { name: 'Soft' });
  return { sent, asked, queryClient, user: userEvent.setup() };
}
const shown = () =>
  new URL(screen.getByAltText<HTMLImageElement>('The packshot by this look').src, 'http://test').searchParams;

test('a look is shown before it is saved, saved under its name, and chosen then', async () => {
  const { sent, user } = await setUp();
  await user.click(screen.getByRole('button', { name: 'Reflection' }));
  await user.click(screen.getByRole('button', { name: 'Transparent' }));
  await waitFor(() =>
    expect(JSON.parse(shown().get('settings') ?? '')).toEqual({
      ...standardLook,
      shadow: 'reflection',
      canvas: 'transparent',
    }),
  );
  await user.type(screen.getByLabelText('Save as'), 'Mirror');
  await user.click(screen.getByRole('button', { name: 'Save as new' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>(/^Look/).value).toBe('look_2'));
  expect(sent).toEqual([{ ...standardLook, name: 'Mirror', shadow: 'reflection', canvas: 'transparent' }]);
});

test('a look that was saved is chosen also when the list of them cannot be read just then', async () => {
  const { user } = await setUp(inTurn(json({ items: [soft] }), refuse('temporarily_unavailable')));
  await user.type(screen.getByLabelText('Save as'), 'Mirror');
  await user.click(screen.getByRole('button', { name: 'Save as new' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>(/^Look/).value).toBe('look_2'));
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy();
});

test('a look that is refused is told so at its name, until another is typed', async () => {
  const { user } = await setUp();
  const name = screen.getByLabelText('Save as');
  await user.click(screen.getByRole('button', { name: 'Save as new' }));
  await waitFor(() => expect(document.activeElement).toBe(name));
  const error = document.getElementById(name.getAttribute('aria-describedby') ?? '');
  expect([name.getAttribute('aria-invalid'), error?.textContent]).toEqual(['true', errors.name_required.detail]);
  await user.type(name, 'M');
  expect(name.getAttribute('aria-invalid')).toBe(null);
});

test('a saved look is changed as a whole within its bounds, and deleted', async () => {
  const { sent, asked, user } = await setUp();
  await user.selectOptions(screen.getByLabelText(/^Look/), 'Soft');
  const size = screen.getByLabelText(/^Size/);
  await user.clear(size);
  await user.type(size, '9000');
  await user.tab();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ ...standardLook, name: 'Soft', shadow: 'soft', size: 5000 }]));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('option', { name: 'Soft' })).toBe(null));
  expect(asked).toContain('DELETE /api/v1/looks/look_1');
});

test('what was exported is read as a new look, and nothing else is', () => {
  const { id: _id, createdAt: _createdAt, ...rest } = soft;
  expect(readLookFile(JSON.stringify(soft))).toEqual(rest);
  for (const text of ['', '[]', '{"name":"x","size":1}', '{"name":"x","colour":"red"}'])
    expect(readLookFile(text)).toBe(null);
});

test('a look that is imported without a network is refused at once, and not saved later by itself', async () => {
  const { asked, user } = await setUp();
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const line = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no network'));
  await user.upload(screen.getByLabelText('Import'), new File([JSON.stringify(soft)], 'soft.look.json'));
  expect(await screen.findByText(/^No answer from the server/)).toBeTruthy();
  line.mockRestore();
  onlineManager.setOnline(true);
  expect(asked).not.toContain('POST /api/v1/looks');
});

test('a list that was asked for before a look was saved does not let go of it', async () => {
  const old = Promise.withResolvers<void>();
  const late: Answer = async (request, response) => {
    await old.promise;
    await json({ items: [soft] })(request, response);
  };
  const saved = { ...soft, id: 'look_2', name: 'Mirror' };
  const { user, asked, queryClient } = await setUp(
    inTurn(json({ items: [soft] }), late, json({ items: [saved, soft] })),
    <Beside />,
  );
  void queryClient.invalidateQueries({ queryKey: ['looks'] });
  await waitFor(() => expect(asked.filter((one) => one === 'GET /api/v1/looks')).toHaveLength(2));
  await user.type(screen.getByLabelText('Save as'), 'Mirror');
  await user.click(screen.getByRole('button', { name: 'Save as new' }));
  await screen.findByText('Look saved.');
  old.resolve();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const form = within(screen.getByRole('region', { name: 'Form' }));
  expect(form.getByLabelText<HTMLSelectElement>(/^Look/).value).toBe('look_2');
});
