import { expect, it } from 'vitest';
import { makeMemory } from './local-google-memory.ts';

it('rows are found by their names, and gone with what they were granted for', async () => {
  const memory = makeMemory();
  const [codes, tokens] = [memory('AuthorizationCode'), memory('AccessToken')];
  await codes.upsert('a', { uid: 'u1', userCode: 'c1', grantId: 'g1' }, 60);
  await tokens.upsert('a', { uid: 'u2', grantId: 'g1' }, 60);
  await tokens.upsert('b', { uid: 'u3', grantId: 'g2' }, 60);
  expect([await codes.find('a'), await codes.findByUid('u1'), await codes.findByUserCode('c1')]).toMatchObject(
    Array(3).fill({ uid: 'u1' }),
  );
  // Of its own kind alone.
  expect(await codes.findByUid('u2')).toBeUndefined();
  await codes.revokeByGrantId('g1');
  expect([await codes.find('a'), await tokens.find('a'), await tokens.find('b')]).toEqual([
    undefined,
    undefined,
    { uid: 'u3', grantId: 'g2' },
  ]);
  await tokens.destroy('b');
  expect(await tokens.find('b')).toBeUndefined();
});

it('a row that was used says so, at its time where it has one', async () => {
  const codes = makeMemory()('AuthorizationCode');
  await codes.upsert('timed', { exp: 1234 }, 60);
  await codes.upsert('timeless', {}, 60);
  for (const id of ['timed', 'timeless', 'unknown']) await codes.consume(id);
  expect([await codes.find('timed'), await codes.find('timeless'), await codes.find('unknown')]).toEqual([
    { exp: 1234, consumed: 1234 },
    { consumed: true },
    undefined,
  ]);
});

it('the oldest rows go first', async () => {
  const codes = makeMemory()('AuthorizationCode');
  for (let at = 0; at <= 1000; at += 1) await codes.upsert(`row ${at}`, {}, 60);
  expect([await codes.find('row 0'), await codes.find('row 1'), await codes.find('row 1000')]).toEqual([
    undefined,
    {},
    {},
  ]);
});
