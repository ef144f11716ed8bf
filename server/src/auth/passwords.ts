import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

// OWASP Password Storage Cheat Sheet (2025): argon2id with 19 MiB, 2 passes, 1 lane.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const TAG_BYTES = 32;

/** Hashes a password, byte for byte as given, into a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(password, salt);
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(tag)}`;
}

// Verified against when there is no such account or no password, so that the answer takes the same time.
const NOBODY_HASH = await hashPassword(randomBytes(16).toString('hex'));

/** True when the password fits the hash. A missing hash takes as long as a wrong password. */
export async function isPasswordRight(password: string, hash: string | null): Promise<boolean> {
  const [, , , , salt, tag] = (hash ?? NOBODY_HASH).split('$');
  const expected = Buffer.from(tag ?? '', 'base64');
  const given = await deriveTag(password, Buffer.from(salt ?? '', 'base64'));
  return timingSafeEqual(given, expected) && hash !== null;
}

async function deriveTag(password: string, nonce: Buffer): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password),
    nonce,
    parallelism: LANES,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
