import { UnreadableFileError } from '@plinth/contract/signed-file';
import { afterEach, expect, test, vi } from 'vitest';
import { json, startServer } from '../../test/server.ts';
import { createApi } from '../platform/api.ts';
import { canVerify, verifyLocally } from './VerifyHere.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a file is read by its bytes, whatever it is called, and sent nowhere', async () => {
  const { origin, asked } = await startServer({ 'GET /api/v1/signers': json({ items: [] }) });
  const verify = (file: File) => verifyLocally(createApi({ origin }), file);
  const jpeg = new File([new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 0])], 'mug.png', { type: 'image/png' });
  expect(await verify(jpeg)).toEqual({
    kind: 'read',
    verified: { made: false, by: null, changed: null, signed: 'none', type: null, chain: [] },
  });
  await expect(verify(new File(['no picture'], 'mug.png'))).rejects.toThrow(UnreadableFileError);
  expect(asked).toEqual(['GET /api/v1/signers', 'GET /api/v1/signers']);
});

test('a browser can verify where it knows the signature, and not over plain HTTP', async () => {
  expect(await canVerify()).toBe(true);
  vi.stubGlobal('crypto', {});
  expect(await canVerify()).toBe(false);
  vi.stubGlobal('crypto', { subtle: { importKey: () => Promise.reject(new Error('NotSupportedError')) } });
  expect(await canVerify()).toBe(false);
});
