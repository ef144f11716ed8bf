import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkOf } from '../src/platform/http/limits.ts';
import { startTestApp, type TestApp } from './app.ts';
import { makeUser, postJson, waitUntil } from './makers.ts';
import { expectProblem } from './wire.ts';

const signIn = (app: TestApp, email: string, password: string, from?: string) =>
  postJson(
    `${app.url}/api/v1/auth/sign-in`,
    { email, password },
    from === undefined ? {} : { 'x-forwarded-for': from },
  );

describe('guessing', () => {
  it(
    'is slowed down for one account and address, also after a restart, and not for other accounts',
    { tags: ['slow'] },
    async () => {
      const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.5' });
      try {
        const [victim, other] = [await makeUser(strict), await makeUser(strict)];
        for (let guess = 0; guess < 5; guess += 1) {
          await expectProblem(await signIn(strict, victim.email, `guess ${guess}`), 'invalid_credentials');
        }
        const refused = await signIn(strict, victim.email.toUpperCase(), victim.password);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        await expectProblem(refused, 'rate_limited');
        await strict.restart();
        await expectProblem(await signIn(strict, victim.email, victim.password), 'rate_limited');
        expect((await signIn(strict, other.email, other.password)).status).toBe(200);
        const kept = await sql<{ key: string }>`select key from request_limits`.execute(strict.db);
        expect(JSON.stringify(kept.rows)).not.toContain('@');
      } finally {
        await strict.close();
      }
    },
  );

  // Most locales of a database find the same account with each of them.
  it('counts every spelling of an address', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.3' });
    try {
      for (const email of ['info@shop.example', 'INFO@shop.example', ' \u0130nfo@shop.example'])
        expect((await signIn(strict, email, 'guess')).status).toBe(401);
      await expectProblem(await signIn(strict, 'info@shop.example', 'guess'), 'rate_limited');
    } finally {
      await strict.close();
    }
  });

  it('is reset by the correct password', async () => {
    const strict = await startTestApp({ RATE_LIMIT_SCALE: '0.3' });
    try {
      const user = await makeUser(strict);
      for (let round = 0; round < 4; round += 1) {
        expect((await signIn(strict, user.email, 'wrong')).status).toBe(401);
        expect((await signIn(strict, user.email, user.password)).status).toBe(200);
      }
    } finally {
      await strict.close();
    }
  });
});

it.each([
  ['203.0.113.6', (port: number) => `203.0.113.6:${port}`],
  ['2001:db8:1:2::7', (port: number) => `[2001:db8:1:2::${(port % 9) + 1}]:${port}`],
  ['2001:db8:1:2::7 without brackets', (port: number) => `2001:db8:1:2::${(port % 9) + 1}:${port}`],
  ['203.0.113.6 in quotes', (port: number) => `"203.0.113.6:${port}"`],
  ['what is no address', (port: number) => `_hidden-${port}`],
])('guessing from one network is slowed down whatever port its proxy writes behind %s', async (_network, write) => {
  const strict = await startTestApp({ TRUST_PROXY_HOPS: '1', RATE_LIMIT_SCALE: '0.02' });
  try {
    const statuses: number[] = [];
    for (let guess = 0; guess < 9; guess += 1)
      statuses.push((await signIn(strict, `nobody-${guess}@example.com`, 'guess', write(40_000 + guess))).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429, 429]);
  } finally {
    await strict.close();
  }
});

describe('guessing from many addresses', () => {
  let app: TestApp;
  let sender = 0;
  const anybody = () => `198.51.100.${(sender += 1)}`;
  beforeAll(async () => {
    app = await startTestApp({ TRUST_PROXY_HOPS: '1', RATE_LIMIT_SCALE: '0.2' });
  });
  afterAll(() => app.close());

  /** Guesses until the first refusal. Returns the number of guesses and the refusal. */
  async function guessUntilRefused(email: string) {
    for (let guesses = 0; guesses < 50; guesses += 1) {
      const answer = await signIn(app, email, 'guess', anybody());
      if (answer.status !== 401) return { guesses, wait: Number(answer.headers.get('retry-after')), answer };
    }
    throw new Error('nobody was refused');
  }

  it('has to wait, twice as long each time, whether the account exists or not', { tags: ['slow'] }, async () => {
    const { email } = await makeUser(app);
    for (const one of [email, 'nobody@example.com']) {
      const first = await guessUntilRefused(one);
      await expectProblem(first.answer, 'rate_limited');
      expect([first.guesses, first.wait]).toEqual([5, 1]);
      // Refused attempts do not extend the wait.
      for (let guess = 0; guess < 5; guess += 1)
        expect((await signIn(app, one, 'guess', anybody())).headers.get('retry-after')).toBe('1');
      await waitUntil(
        async () => (await signIn(app, one, 'guess', anybody())).status,
        (status) => status === 401,
      );
      const second = await signIn(app, one, 'guess', anybody());
      expect([second.status, second.headers.get('retry-after')]).toEqual([429, '2']);
    }
  });

  it('lets only one of many concurrent attempts through', async () => {
    const { email } = await makeUser(app);
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(app, email, 'guess', anybody())));
    const looked = answers.filter(({ status }) => status === 401).length;
    // A slow machine may need the second after which another attempt is allowed.
    expect([5, 6]).toContain(looked);
  });

  it(
    'locks out neither the owner where he signed in before, nor for long anywhere else',
    { tags: ['slow'] },
    async () => {
      const owner = await makeUser(app);
      const home = '203.0.113.5';
      expect((await signIn(app, owner.email, owner.password, home)).status).toBe(200);
      await guessUntilRefused(owner.email);
      expect((await signIn(app, owner.email, owner.password, home)).status).toBe(200);
      await expectProblem(await signIn(app, owner.email, 'guess', home), 'invalid_credentials');
      // Refusals do not count as attempts: a client that retries all the time succeeds once the wait is over.
      const cafe = anybody();
      await waitUntil(
        async () => (await signIn(app, owner.email, owner.password, cafe)).status,
        (status) => status === 200,
        5000,
      );
    },
  );

  it('treats an IPv6 network as one address', async () => {
    const { email } = await makeUser(app);
    const statuses: number[] = [];
    for (const end of [':1', ':2', ':ffff:1', 'a:b:c:d'])
      statuses.push((await signIn(app, email, 'guess', `2001:db8:7:8:${end}`)).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect((await signIn(app, email, 'guess', '2001:db8:7:9::1')).status).toBe(401);
  });
});

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:1::5', '2001:db8:0:1'],
    ['2001:0DB8::1:2:3:4:5', '2001:db8:0:1'],
    ['2001:db8:0:2:a:b:c:d', '2001:db8:0:2'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['unknown', '198.51.100.9'],
    ['_hidden:80', '198.51.100.9'],
    ['', '198.51.100.9'],
    ['[]', '198.51.100.9'],
    ['203.0.113.6.7', '198.51.100.9'],
    ['"203.0.113.6"', '203.0.113.6'],
    ['"203.0.113.6:40001"', '203.0.113.6'],
    ['"[2001:db8:1:2::7]:40001"', '2001:db8:1:2'],
    ['2001:db8:1:2::7:40001', '2001:db8:1:2'],
    ['2001:db8:1:2:3:4:5:6:443', '2001:db8:1:2'],
    ['[2001:db8::2:3:4:5:6]:80', '2001:db8:0:2'],
    ['203.0.113.6:40001', '203.0.113.6'],
    ['[2001:db8:1:2::7]:40001', '2001:db8:1:2'],
    ['[2001:db8:1:2::8]', '2001:db8:1:2'],
    ['[::ffff:203.0.113.6]:40001', '203.0.113.6'],
    ['::ffff:203.0.113.6', '203.0.113.6'],
    ['[fe80::1%eth0]:7', 'fe80:0:0:0'],
  ])('of %s is %s', (address, network) => {
    const request = { ip: address, socket: { remoteAddress: '198.51.100.9' } };
    expect(networkOf(request)).toBe(network);
  });

  it('of a client that has hung up is unknown', () => {
    expect(() => networkOf({ socket: {} })).toThrow('malformed_request');
  });
});
