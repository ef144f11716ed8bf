// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { pictureFile, renderScreen } from '../../../test/screen.tsx';
import { PlaceProduct } from './PlaceProduct.tsx';

const outline = [
  [0.4, 0.2],
  [0.6, 0.2],
  [0.6, 0.8],
  [0.4, 0.8],
] as const;

async function setUp() {
  renderScreen(
    <PlaceProduct
      made="/scene.png"
      placed={{ x: 0.5, y: 0.8, scale: 1, rotate: 0, size: 1, box: [0.4, 0.2, 0.6, 0.8] }}
      isPlaced={false}
      photo={pictureFile()}
      outline={outline.map(([x, y]) => [x, y])}
      ratio={1}
      price="free, 3 left"
      onPlace={() => {}}
      onClose={() => {}}
    />,
    { origin: 'http://127.0.0.1' },
  );
  (await screen.findByRole('application')).focus();
  return { user: userEvent.setup(), said: () => screen.getByRole('status').textContent };
}

test('what a key changed is said, and nothing else', async () => {
  const { user, said } = await setUp();
  expect(said()).toBe('');
  await user.keyboard('{ArrowLeft}');
  expect(said()).toBe('49 % across, 80 % down');
  await user.keyboard('+');
  expect(said()).toBe('Size 105 %');
  await user.keyboard('[[');
  expect(said()).toBe('Turn -2 °');
  await user.keyboard('{ArrowUp}');
  expect(said()).toBe('49 % across, 79 % down');
});

test('a slider says by itself what it is: nothing is said beside it', async () => {
  const { said } = await setUp();
  fireEvent.change(screen.getByRole('slider', { name: 'Size' }), { target: { value: '150' } });
  expect(screen.getByRole('slider', { name: 'Size' }).getAttribute('aria-valuetext')).toBe('150 %');
  expect(said()).toBe('');
});
