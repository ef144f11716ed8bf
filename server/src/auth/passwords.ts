import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** Options of Node's argon2; memory in KiB. */
type Cost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>;

// OWASP Password Storage Cheat Sheet (2025): argon2id with 19 MiB, 2 passes, 1 lane.
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hashes a password, byte for byte, into a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await deriveTag(password, COST, salt, TAG_BYTES);
  return `${phcPrefix(COST)}$${base64(salt)}$${base64(tag)}`;
}

// Verified if there is no account or password, so that the answer takes the same time.
const DUMMY_HASH: StoredHash = { cost: COST, salt: randomBytes(16), tag: randomBytes(TAG_BYTES) };

/** Verifies a password at the cost in its hash. A missing or outdated hash takes as long as a wrong password. */
export async function isPasswordCorrect(password: string, hash: string | null): Promise<boolean> {
  const stored = hash === null ? DUMMY_HASH : readHash(hash);
  const derived = await deriveTag(password, stored.cost, stored.salt, stored.tag.byteLength);
  const isCorrect = timingSafeEqual(derived, stored.tag) && hash !== null;
  if (!isCorrect && hash !== null && isHashOutdated(hash)) await deriveTag(password, COST, DUMMY_HASH.salt, TAG_BYTES);
  return isCorrect;
}

/** True if the hash has another cost than today's and should be renewed at the next sign-in. */
export function isHashOutdated(hash: string): boolean {
  return !hash.startsWith(`${phcPrefix(COST)}$`);
}

function phcPrefix({ memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`;
}

type StoredHash = { cost: Cost; salt: Buffer; tag: Buffer };

function readHash(hash: string): StoredHash {
  const [, memory, passes, lanes, salt = '', tag = ''] = PHC.exec(hash) ?? [];
  if (tag === '') throw new Error('a password hash of an unknown kind');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(lanes) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

function deriveTag(password: string, cost: Cost, salt: Buffer, bytes: number): Promise<Buffer> {
  return derive('argon2id', { ...cost, message: Buffer.from(password), nonce: salt, tagLength: bytes });
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
