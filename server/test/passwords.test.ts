import { argon2Sync, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { makeUser, postJson, type TestUser } from './makers.ts';
import { expectProblem } from './wire.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const signIn = (email: string, password: string) => postJson(`${app.url}/api/v1/auth/sign-in`, { email, password });

type Cost = { memory: number; passes: number; parallelism: number; tagLength: number; saltLength: number };

/** A hash of this password as stored by another version, or by another product. */
function hashAt({ memory, passes, parallelism, tagLength, saltLength }: Cost, password: string): string {
  const nonce = randomBytes(saltLength);
  const tag = argon2Sync('argon2id', { message: password, nonce, parallelism, tagLength, memory, passes });
  const [salt64, tag64] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt64}$${tag64}`;
}

const store = (user: TestUser, hash: string) =>
  sql`update users set password_hash = ${hash} where id = ${user.id}`.execute(app.db);
const readHash = async (user: TestUser) =>
  (await sql<{ hash: string }>`select password_hash as hash from users where id = ${user.id}`.execute(app.db)).rows[0]
    ?.hash;
const TODAY = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('a password hash', () => {
  it.each<Cost>([
    { memory: 8192, passes: 1, parallelism: 1, tagLength: 32, saltLength: 16 },
    { memory: 65_536, passes: 3, parallelism: 4, tagLength: 32, saltLength: 16 },
    { memory: 19_456, passes: 2, parallelism: 1, tagLength: 16, saltLength: 8 },
  ])('of another cost still opens its account, and is made again at the cost of today: %j', async (cost) => {
    const user = await makeUser(app);
    const old = hashAt(cost, user.password);
    await store(user, old);
    await expectProblem(await signIn(user.email, 'not-the-one'), 'invalid_credentials');
    expect(await readHash(user)).toBe(old);
    expect((await signIn(user.email, user.password)).status).toBe(200);
    const renewed = await readHash(user);
    if (cost.memory !== 19_456) expect(renewed).not.toBe(old);
    expect(renewed).toMatch(TODAY);
    expect((await signIn(user.email, user.password)).status).toBe(200);
    await expectProblem(await signIn(user.email, 'not-the-one'), 'invalid_credentials');
    expect(await readHash(user)).toBe(renewed);
  });

  it('of the cost of today stays as it is', async () => {
    const user = await makeUser(app);
    const before = await readHash(user);
    expect(before).toMatch(TODAY);
    expect((await signIn(user.email, user.password)).status).toBe(200);
    expect(await readHash(user)).toBe(before);
  });
});
