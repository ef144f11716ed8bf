import { isAbsolute } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://shop.example',
  PAYMENTS: 'sandbox',
  ALLOW_SANDBOX: '1',
  SANDBOX_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of our very own').toString('base64')}`,
};

function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error(`was not refused: ${JSON.stringify(environment)}`);
}

describe('the settings', () => {
  it('need nothing on one machine', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      NODE_ENV: 'development',
      ROLE: 'all',
      PORT: 8080,
      HOST: '127.0.0.1',
      PAYMENTS: 'sandbox',
      AUTH_EMAIL_SIGNUP: false,
      MEDIA_TTL_SECONDS: 172_800,
      SWEEP_INTERVAL_SECONDS: 60,
      SIGNUP_CREDITS: 3,
      PROVIDER_POLL_SCALE: 1,
      RATE_LIMIT_SCALE: 1,
      MAX_INFLIGHT_PER_USER: 10,
      TRUST_PROXY_HOPS: 0,
      isLoopback: true,
    });
    expect(config.METRICS_PORT).toBeUndefined();
    expect(isAbsolute(config.DATA_DIR)).toBe(true);
  });

  it('count empty and blank values as missing, and trim the others', () => {
    const config = readConfig({ PORT: '', METRICS_PORT: '  ', HOST: ' localhost ', FAL_KEY: '', PUBLIC_ORIGIN: '' });
    expect(config).toMatchObject({ PORT: 8080, HOST: 'localhost' });
    expect([config.METRICS_PORT, config.FAL_KEY, config.PUBLIC_ORIGIN]).toEqual([undefined, undefined, undefined]);
  });

  it('are read into what the rooms need', () => {
    const config = readConfig({
      ...PRODUCTION,
      PUBLIC_ORIGIN: 'https://Shop.example/',
      RESULT_HOSTS: ' 127.0.0.1:9000, ,files.example:443 ',
      FAL_QUEUE_URL: 'http://127.0.0.1:9000/queue/',
      AUTH_EMAIL_SIGNUP: '1',
      MAX_STORAGE_BYTES: '1000',
      SELLER_ADDRESS: '1 High Street\\nExampletown',
      CONTACT_EMAIL: 'hello@shop.example',
    });
    expect(config).toMatchObject({
      PUBLIC_ORIGIN: 'https://shop.example',
      RESULT_HOSTS: ['127.0.0.1:9000', 'files.example:443'],
      FAL_QUEUE_URL: 'http://127.0.0.1:9000/queue',
      AUTH_EMAIL_SIGNUP: true,
      MAX_STORAGE_BYTES: 1000,
      SELLER_ADDRESS: '1 High Street\nExampletown',
      CONTACT_EMAIL: 'hello@shop.example',
      isLoopback: false,
    });
  });

  it('know a machine of its own from one that others reach', () => {
    expect(readConfig({ HOST: '::1' }).isLoopback).toBe(true);
    expect(readConfig({ PUBLIC_ORIGIN: 'http://localhost:8080' }).isLoopback).toBe(true);
    expect(readConfig(PRODUCTION).isLoopback).toBe(false);
    expect(readConfig({ TRUST_PROXY_HOPS: '1' }).isLoopback).toBe(false);
    expect(readConfig({ HOST: '0.0.0.0', PUBLIC_ORIGIN: 'http://localhost:8080' }).isLoopback).toBe(false);
  });

  it('are refused all at once, in one line', () => {
    const text = refusal({ PORT: '99999', ROLE: 'both', RATE_LIMIT_SCALE: '0', DATABASE_URL: 'mysql://x/y' });
    for (const name of ['PORT', 'ROLE', 'RATE_LIMIT_SCALE', 'DATABASE_URL']) expect(text).toContain(`${name}:`);
    expect(text).not.toContain('\n');
  });

  const wrong: [given: Record<string, string>, name: string][] = [
    [{ ROLE: 'web' }, 'ROLE'],
    [{ ROLE: 'worker' }, 'ROLE'],
    [{ HOST: '0.0.0.0' }, 'PUBLIC_ORIGIN'],
    [{ PUBLIC_ORIGIN: 'http://shop.example' }, 'PUBLIC_ORIGIN'],
    [{ PUBLIC_ORIGIN: 'https://shop.example/path' }, 'PUBLIC_ORIGIN'],
    [{ PUBLIC_ORIGIN: 'shop.example' }, 'work: PUBLIC_ORIGIN: must be an origin, like https://shop.example'],
    [{ S3_BUCKET: 'pictures' }, 'S3_ENDPOINT'],
    [{ OIDC_CLIENT_ID: 'abc' }, 'OIDC_CLIENT_SECRET'],
    [{ AUTH_EMAIL_SIGNUP: 'yes' }, 'AUTH_EMAIL_SIGNUP'],
    [{ MEDIA_TTL_SECONDS: '0' }, 'MEDIA_TTL_SECONDS'],
    [{ MEDIA_TTL_SECONDS: '1.5' }, 'MEDIA_TTL_SECONDS: must be a whole number from 1 to'],
    [{ SWEEP_INTERVAL_SECONDS: '2147484' }, 'SWEEP_INTERVAL_SECONDS: must be a whole number from 1 to 2147483'],
    [{ PROVIDER_POLL_SCALE: '100000' }, 'PROVIDER_POLL_SCALE: '],
    [{ RATE_LIMIT_SCALE: 'high' }, 'RATE_LIMIT_SCALE: must be a number'],
    [{ DATABASE_URL: 'localhost:5432' }, 'DATABASE_URL: must be like postgres://'],
    [{ SIGNUP_CREDITS: '-1' }, 'SIGNUP_CREDITS'],
    [{ PORT: 'http' }, 'PORT: must be a whole number from 0 to 65535'],
    [{ PAYMENTS: 'cash' }, 'PAYMENTS'],
    [{ SANDBOX_WEBHOOK_SECRET: 'short' }, 'SANDBOX_WEBHOOK_SECRET'],
    [{ FAL_QUEUE_URL: 'ftp://x' }, 'FAL_QUEUE_URL: must be an http or https address'],
    [{ CONTACT_EMAIL: 'hello' }, 'CONTACT_EMAIL'],
    [{ OIDC_CLIENT_SECRET: 'abc' }, 'OIDC_CLIENT_ID: is missing'],
    [{ SOCIAL_URL: 'javascript:alert(1)' }, 'SOCIAL_URL'],
    [{ SOCIAL_URL: 'http://social.example' }, 'SOCIAL_URL: must be an https address'],
    [{ TESTIMONIAL_QUOTE: 'It sells.', TESTIMONIAL_CONSENT: '1' }, 'TESTIMONIAL_BY: both or none'],
    [{ TESTIMONIAL_QUOTE: 'It sells.', TESTIMONIAL_BY: 'Ann' }, 'TESTIMONIAL_CONSENT: must be true'],
    [{ TESTIMONIAL_URL: 'https://ann.example' }, 'TESTIMONIAL_URL: needs TESTIMONIAL_QUOTE'],
    [{ OIDC_ISSUER: 'http://accounts.example' }, 'OIDC_ISSUER: must be https'],
    [{ RESULT_HOSTS: '127.0.0.1:9000, http://files.example:9000' }, 'RESULT_HOSTS: must be host:port'],
    [{ WEBHOOK_HOSTS: 'hooks.example' }, 'WEBHOOK_HOSTS: must be host:port'],
  ];
  it.each(wrong)('refuse %j and say that it is %s', (given, name) => {
    expect(refusal(given)).toContain(name);
  });
});

describe('in production', () => {
  it('sandbox payments run only when they are allowed by name', () => {
    expect(readConfig(PRODUCTION).PAYMENTS).toBe('sandbox');
    expect(refusal({ ...PRODUCTION, ALLOW_SANDBOX: '0' })).toContain('ALLOW_SANDBOX=1');
    expect(refusal({ ...PRODUCTION, ALLOW_SANDBOX: '' })).toContain('ALLOW_SANDBOX=1');
    expect(refusal({ ...PRODUCTION, PAYMENTS: '' })).toContain('PAYMENTS');
  });

  it('is every https origin, whatever NODE_ENV says', () => {
    const { NODE_ENV: _, ...settings } = PRODUCTION;
    for (const NODE_ENV of ['', 'development', 'test']) {
      expect(readConfig({ ...settings, NODE_ENV })).toMatchObject({ isProduction: true, PAYMENTS: 'sandbox' });
      expect(refusal({ ...settings, NODE_ENV, ALLOW_SANDBOX: '' })).toContain('ALLOW_SANDBOX=1');
      expect(refusal({ NODE_ENV, PUBLIC_ORIGIN: 'https://shop.example' })).toContain('PAYMENTS: is missing');
      expect(refusal({ NODE_ENV, PUBLIC_ORIGIN: 'https://localhost:8443' })).toContain('PAYMENTS: is missing');
    }
    expect(readConfig({}).isProduction).toBe(false);
    expect([readConfig({}).LOG_LEVEL, readConfig(settings).LOG_LEVEL]).toEqual(['info', 'info']);
    expect(readConfig({ PUBLIC_ORIGIN: 'http://localhost:8080' }).isProduction).toBe(false);
  });

  it('a missing or default secret is refused by name, without being said', () => {
    expect(refusal({ ...PRODUCTION, SANDBOX_WEBHOOK_SECRET: '' })).toContain('SANDBOX_WEBHOOK_SECRET');
    for (const secret of ['whsec_changemechangeme', 'whsec_secretsecretsecret', 'whsec_TestTestTestTestTest']) {
      const text = refusal({ ...PRODUCTION, SANDBOX_WEBHOOK_SECRET: secret });
      expect(text).toContain('SANDBOX_WEBHOOK_SECRET');
      expect(text).not.toContain(secret);
    }
    expect(refusal({ ...PRODUCTION, FAL_KEY: 'changeme' })).toContain('FAL_KEY');
    const google = { OIDC_CLIENT_ID: 'shop', OIDC_CLIENT_SECRET: 'secret' };
    expect(refusal({ ...PRODUCTION, ...google })).toContain('OIDC_CLIENT_SECRET');
  });
});

describe('payments by a company', () => {
  const STRIPE = { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_a1,whsec_b2' };
  const DODO = {
    PAYMENTS: 'dodo',
    DODO_API_KEY: 'key-of-dodo',
    DODO_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of our very own').toString('base64')}`,
    DODO_PRODUCT_BASIC: 'pdt_1',
    DODO_PRODUCT_STANDARD: 'pdt_2',
    DODO_PRODUCT_PREMIUM: 'pdt_3',
  };
  const ORIGIN = { PUBLIC_ORIGIN: 'https://shop.example' };
  const LIVE = { ...STRIPE, ...ORIGIN, STRIPE_SECRET_KEY: 'sk_live_1' };

  it('are taken in test mode on one machine, and in live mode before strangers', () => {
    expect(readConfig(STRIPE)).toMatchObject({ PAYMENTS: 'stripe', STRIPE_WEBHOOK_SECRET: ['whsec_a1', 'whsec_b2'] });
    expect(readConfig({ ...DODO, DODO_ENVIRONMENT: 'test_mode' }).PAYMENTS).toBe('dodo');
    expect(readConfig(LIVE).PAYMENTS).toBe('stripe');
    expect(readConfig({ ...DODO, ...ORIGIN }).DODO_ENVIRONMENT).toBe('live_mode');
    expect(readConfig({ ...DODO, ...LIVE }).PAYMENTS).toBe('stripe');
  });

  it.each(Object.keys({ ...STRIPE, ...DODO }).filter((name) => name !== 'PAYMENTS'))(
    'are refused in one line without %s, also where the other company sells',
    (name) => {
      const [own, other] = name.startsWith('STRIPE')
        ? [STRIPE, { ...DODO, DODO_ENVIRONMENT: 'test_mode' }]
        : [DODO, STRIPE];
      for (const settings of [own, { ...own, ...other }]) {
        const text = refusal({ ...settings, [name]: '' });
        expect(text).toMatch(new RegExp(`^These settings do not work: ${name}: is needed for (stripe|dodo)$`));
      }
    },
  );

  it('says of a missing key that it is needed, and nothing of its mode', () =>
    expect(refusal({ ...LIVE, STRIPE_SECRET_KEY: '' })).toBe(
      'These settings do not work: STRIPE_SECRET_KEY: is needed for stripe',
    ));

  const mixtures: [what: string, given: Record<string, string>, says: string][] = [
    ['an unknown mode', { ...LIVE, PAYMENTS: 'paypal' }, 'PAYMENTS: '],
    [
      'an http origin',
      { ...LIVE, NODE_ENV: 'production', PUBLIC_ORIGIN: 'http://shop.example' },
      'PUBLIC_ORIGIN: must be https',
    ],
    ['no mode', { ...LIVE, PAYMENTS: '' }, 'PAYMENTS: is missing'],
    ['a live key on one machine', { ...LIVE, PUBLIC_ORIGIN: '' }, 'STRIPE_SECRET_KEY: is for real money'],
    [
      'a test key before strangers',
      { ...LIVE, STRIPE_SECRET_KEY: 'sk_test_1' },
      'STRIPE_SECRET_KEY: is of the test mode',
    ],
    ['a restricted test key', { ...LIVE, STRIPE_SECRET_KEY: 'rk_test_1' }, 'STRIPE_SECRET_KEY: is of the test mode'],
    [
      'a key for browsers',
      { ...LIVE, STRIPE_SECRET_KEY: 'pk_live_1' },
      'STRIPE_SECRET_KEY: must begin with sk_ or rk_',
    ],
    [
      'a live key with a test secret',
      { ...LIVE, STRIPE_WEBHOOK_SECRET: 'whsec_test_1' },
      'STRIPE_WEBHOOK_SECRET: is a default',
    ],
    [
      'one default of two secrets',
      { ...LIVE, STRIPE_WEBHOOK_SECRET: 'whsec_a1,whsec_secret' },
      'STRIPE_WEBHOOK_SECRET: is a default',
    ],
    [
      "Dodo's test mode before strangers",
      { ...DODO, ...ORIGIN, DODO_ENVIRONMENT: 'test_mode' },
      'DODO_ENVIRONMENT: is test_mode',
    ],
    ['an unknown mode of Dodo', { ...DODO, ...ORIGIN, DODO_ENVIRONMENT: 'live' }, 'DODO_ENVIRONMENT: '],
    ["a secret that is none of Dodo's", { ...DODO, ...ORIGIN, DODO_WEBHOOK_SECRET: 'abc' }, 'DODO_WEBHOOK_SECRET: '],
    [
      'a default secret of Dodo',
      { ...DODO, ...ORIGIN, DODO_WEBHOOK_SECRET: 'whsec_testtesttesttesttest' },
      'DODO_WEBHOOK_SECRET: is a default',
    ],
  ];
  it.each(mixtures)('are refused in one line with %s', (_what, given, says) => {
    const text = refusal(given);
    expect(text.startsWith(`These settings do not work: ${says}`), text).toBe(true);
    expect(text).not.toMatch(/\n|_1\b|abc|; /);
  });

  it('may be tried before strangers with test keys by whoever says so', () => {
    expect(readConfig({ ...LIVE, STRIPE_SECRET_KEY: 'sk_test_1', ALLOW_SANDBOX: '1' }).PAYMENTS).toBe('stripe');
    const dodo = { ...DODO, ...ORIGIN, DODO_ENVIRONMENT: 'test_mode', ALLOW_SANDBOX: '1' };
    expect(readConfig(dodo).PAYMENTS).toBe('dodo');
  });
});

describe('.env.example', () => {
  it('says every setting with its meaning and its default (run this test with -u after a change)', async () => {
    const lines = Object.entries(settings).map(([name, setting]) => {
      const { data } = setting.safeParse(undefined);
      return `# ${setting.description}\n${name}=${data === undefined ? '' : String(data)}\n`;
    });
    const head = '# Copy this file to .env and change what you need. An empty value counts as not set.\n';
    await expect([head, ...lines].join('\n')).toMatchFileSnapshot('../../.env.example');
  });

  it('works as it stands', () => {
    const given = Object.entries(settings).map(([name, setting]) => [
      name,
      String(setting.safeParse(undefined).data ?? ''),
    ]);
    expect(readConfig(Object.fromEntries(given) as Record<string, string>)).toEqual(readConfig({}));
  });

  it.each([
    [{}, 3],
    [{ FAL_KEY: 'a:b' }, 0],
    [{ STABILITY_KEY: 'sk-x' }, 0],
    [{ FAL_KEY: '' }, 3],
    [{ FAL_KEY: 'a:b', SIGNUP_CREDITS: '7' }, 7],
    [{ SIGNUP_CREDITS: '0' }, 0],
  ])('gives a new account with %j %i credits', (given, credits) =>
    expect(readConfig(given).SIGNUP_CREDITS).toBe(credits),
  );

  it('leaves no setting without its sentence', () => {
    for (const [name, setting] of Object.entries(settings)) expect(setting.description, name).toMatch(/^\w.{10,}[^.]$/);
  });
});
