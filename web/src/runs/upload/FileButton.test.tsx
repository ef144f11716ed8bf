// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '../../../test/screen.tsx';
import { FileButton } from './FileButton.tsx';

test('a file without a type is taken as what its first bytes are, as everywhere', async () => {
  const onFile = vi.fn<(file: File) => void>();
  renderScreen(<FileButton label="Other photo" name="Other photo for mug.jpg" onFile={onFile} />, { origin: '' });
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, ...Array.from<number>({ length: 20 }).fill(0)]);
  const untyped = Object.assign(new File([bytes], 'mug', { type: '' }), {
    slice: () => ({ arrayBuffer: async () => bytes.buffer }),
  });
  const user = userEvent.setup({ applyAccept: false });
  await user.upload(await screen.findByLabelText(/^Other photo/, { selector: 'input' }), untyped);
  await vi.waitFor(() => expect(onFile.mock.calls).toMatchObject([[{ name: 'mug', type: 'image/jpeg' }]]));
});
