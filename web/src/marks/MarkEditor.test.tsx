// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { pictureFile, renderScreen } from '../../test/screen.tsx';
import { MarkEditor } from './MarkEditor.tsx';
import type { Step } from './marks.ts';

// jsdom cannot draw; what is drawn is seen in the journeys.
const opening = vi.fn<() => Promise<unknown>>();
vi.stubGlobal('createImageBitmap', opening);

const earlier: Step[] = [{ kind: 'box', box: [0.1, 0.1, 0.9, 0.9] }];

async function setUp(made?: Step[]) {
  const onClose = vi.fn();
  renderScreen(
    <MarkEditor
      pictureId="gen_1"
      photo={pictureFile()}
      title="Fix it"
      line="Paint what belongs to the product, and what does not."
      earlier={made ?? earlier}
      {...(made && { made })}
      apply={{ label: 'Apply, free', note: '3 free tries left' }}
      onApply={() => {}}
      onSteps={() => {}}
      onClose={onClose}
    />,
    { origin: 'http://127.0.0.1' },
  );
  await screen.findByRole('dialog', { name: 'Fix it' });
  return { onClose, user: userEvent.setup() };
}

test('while the photo is opened it says so, and can be left', async () => {
  opening.mockReturnValue(new Promise(() => {}));
  const { onClose, user } = await setUp();
  expect(await screen.findByText('Opening your photo')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a photo that cannot be opened says so', async () => {
  opening.mockRejectedValue(new Error('no picture'));
  await setUp();
  expect(await screen.findByText('Your photo could not be opened. Close this and try again.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Apply, free' })).toBeNull();
});

test('Escape closes the list of keys first, and only then the editor', async () => {
  opening.mockResolvedValue({ width: 400, height: 300, close: () => {} });
  const { onClose, user } = await setUp();
  const keys = await screen.findByText('Keys');
  await user.click(keys);
  expect(keys.closest('details')?.open).toBe(true);
  screen.getByRole('application').focus();
  await user.keyboard('{Escape}');
  expect(keys.closest('details')?.open).toBe(false);
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test.each([[[]], [earlier]])('a result that is corrected begins with what it was made with: %j', async (made) => {
  opening.mockResolvedValue({ width: 400, height: 300, close: () => {} });
  await setUp(made);
  expect(await screen.findByText('Paint something first.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Keep' }).ariaPressed).toBe('true');
  expect(screen.getByRole('button', { name: 'Apply, free' }).ariaDisabled).toBe('true');
  expect(screen.getByRole('button', { name: 'Undo' }).ariaDisabled).toBe(String(made.length === 0));
});

test('the end of a stroke by keyboard is not followed by the place that was announced before it', async () => {
  opening.mockResolvedValue({ width: 400, height: 300, close: () => {} });
  const { user } = await setUp();
  await screen.findByText('Keys');
  screen.getByRole('application').focus();
  await user.keyboard('r[Space>][ArrowRight]');
  await user.keyboard('[/Space]');
  expect(screen.getByRole('status').textContent).toBe('Removed');
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(screen.getByRole('status').textContent).toBe('Removed');
});
