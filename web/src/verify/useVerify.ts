import { useRef, useState } from 'react';
import { IMAGE_MAX_BYTES, MEBIBYTE } from '@plinth/contract/limits';
import { signersSchema, type Verified, verifiedSchema } from '@plinth/contract/origin';
import { useApi } from '../platform/useApi.ts';

export type Looking =
  | { kind: 'idle' }
  | { kind: 'reading' }
  | { kind: 'read'; verified: Verified }
  | { kind: 'unable' }
  | { kind: 'failed'; says: string };

const TOO_LONG = `This browser cannot check signatures, and the server takes files of up to ${IMAGE_MAX_BYTES / MEBIBYTE} MB.`;

export function useVerify() {
  const api = useApi();
  const [file, setFile] = useState<File | null>(null);
  const [looking, setLooking] = useState<Looking>({ kind: 'idle' });
  const latest = useRef(0);

  const show = async (look: () => Promise<Looking>) => {
    latest.current += 1;
    const own = latest.current;
    setLooking({ kind: 'reading' });
    const found = await look().catch((error: unknown): Looking => ({
      kind: 'failed',
      says: error instanceof Error && error.name === 'ApiError' ? error.message : 'This file cannot be read.',
    }));
    if (own === latest.current) setLooking(found);
  };

  const take = (taken: File) => {
    setFile(taken);
    void show(async () => {
      const [{ canVerify, readHere }, { items }] = await Promise.all([
        import('./read-here.ts'),
        api.send('/api/v1/signers', signersSchema),
      ]);
      if (await canVerify()) return { kind: 'read', verified: await readHere(taken, items) };
      return taken.size > IMAGE_MAX_BYTES ? { kind: 'failed', says: TOO_LONG } : { kind: 'unable' };
    });
  };

  const askServer = () => {
    if (file === null) return;
    void show(async () => {
      const form = new FormData();
      form.set(file.type.startsWith('video/') ? 'video' : 'image', file);
      return { kind: 'read', verified: await api.send('/api/v1/verify', verifiedSchema, { method: 'POST', form }) };
    });
  };

  return { file, looking, take, askServer };
}
