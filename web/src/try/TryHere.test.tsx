// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { pictureFile } from '../../test/screen.tsx';
import { TryHere } from './TryHere.tsx';

afterEach(() => vi.unstubAllGlobals());

test('ignores a photo that is chosen while another one is being cut out', async () => {
  const posted: Blob[] = [];
  const worker = { postMessage: (photo: Blob) => posted.push(photo), terminate() {} };
  vi.stubGlobal('Worker', function () {
    return worker;
  });
  vi.stubGlobal('OffscreenCanvas', class {});
  render(<TryHere />);
  const input = screen.getByLabelText('Your photo');
  for (const name of ['mug.jpg', 'teddy.jpg']) fireEvent.change(input, { target: { files: [pictureFile(name)] } });
  await waitFor(() => expect(posted.map((photo) => (photo as File).name)).toEqual(['mug.jpg']));
});
