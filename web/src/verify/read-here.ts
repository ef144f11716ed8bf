import type { KnownSigner, Verified } from '@plinth/contract/origin';
import { verifyFile } from '@plinth/contract/verify';

/** Whether this browser knows the signatures of files that are made here. */
export async function canVerify(): Promise<boolean> {
  // No `subtle` over plain HTTP, whatever its type says.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (subtle === undefined) return false;
  return subtle.importKey('raw', new Uint8Array(32).fill(1), 'Ed25519', false, ['verify']).then(
    () => true,
    () => false,
  );
}

/** Looks at a file of any size without sending it anywhere. @throws UnreadableFileError */
export async function readHere(file: File, signers: readonly KnownSigner[]): Promise<Verified> {
  return verifyFile(new Uint8Array(await file.arrayBuffer()), signers);
}
