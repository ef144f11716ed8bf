import { describe, expect, it } from 'vitest';
import { sessionSchema, signInOptionsSchema } from './auth.ts';
import { ledgerEntrySchema } from './credits.ts';
import { failureCodes, generationSchema, generationStatuses, returnReasons, returnSchema } from './generations.ts';
import { mediaSchema } from './media.ts';
import { pageSchema } from './paging.ts';
import { toolIds } from './tools.ts';

/** Responses that the browser accepts. For any other it shows an error, not a wrong picture. */
const MOMENT = '2026-01-02T03:04:05.678Z';
const generation = {
  id: 'g1',
  tool: 'remover',
  status: 'queued',
  cost: 1,
  progress: { message: 'Waiting...', percent: null },
  cancelRequested: false,
  result: null,
  error: null,
  refunded: false,
  redoOf: null,
  redosLeft: 0,
  returned: false,
  input: null,
  createdAt: MOMENT,
  startedAt: null,
  finishedAt: null,
};
const media = {
  id: 'm1',
  mediaType: 'product_image',
  contentType: 'image/png',
  bytes: 0,
  width: 1,
  height: 1,
  originalFilename: 'cutout.png',
  generationId: 'g1',
  tool: 'remover',
  input: {},
  photoName: 'mug.jpg',
  createdAt: MOMENT,
  expiresAt: MOMENT,
  contentUrl: '/c',
  downloadUrl: '/d',
};
const entry = {
  id: 'e1',
  delta: -1,
  balanceAfter: 0,
  reason: 'debit',
  generationId: 'g1',
  purchaseId: null,
  tool: 'remover',
  package: null,
  createdAt: MOMENT,
};
const user = { id: 'u1', email: 'a@b.example', displayName: '', hasPassword: false, providers: ['google'] };
const session = { user, credits: 3, expiresAt: MOMENT };

describe('a generation', () => {
  const isOne = (changed: object) => generationSchema.safeParse({ ...generation, ...changed }).success;

  it.each(generationStatuses)('may be %s', (status) => expect(isOne({ status })).toBe(true));
  it.each(toolIds)('may be of %s', (tool) => expect(isOne({ tool })).toBe(true));
  it.each(failureCodes)('may have failed as %s', (code) => {
    expect(isOne({ status: 'failed', error: { code, message: 'It failed.' } })).toBe(true);
  });

  it.each([
    { tool: 'no-tool' },
    { status: 'lost' },
    { cost: -1 },
    { cost: 0.5 },
    { progress: { message: 'Half', percent: 0.5 } },
    { progress: { message: 'More than all', percent: 101 } },
    { error: { code: 'bored', message: '' } },
    { redosLeft: -1 },
    { input: { prompt: 7 } },
    { createdAt: '2026-01-02 03:04' },
    { createdAt: '2026-01-02T03:04:05+01:00' },
  ])('is not %j', (changed) => expect(isOne(changed)).toBe(false));
});

describe('a media item', () => {
  const isOne = (changed: object) => mediaSchema.safeParse({ ...media, ...changed }).success;

  it('may have lost its words, and be of a type that a newer server makes', () => {
    expect(isOne({})).toBe(true);
    expect(isOne({ input: null, photoName: null, mediaType: 'hologram' })).toBe(true);
  });

  it.each([{ width: 0 }, { height: 1.5 }, { bytes: -1 }, { tool: null }, { expiresAt: null }])('is not %j', (changed) =>
    expect(isOne(changed)).toBe(false),
  );
});

describe('a ledger entry', () => {
  const isOne = (changed: object) => ledgerEntrySchema.safeParse({ ...entry, ...changed }).success;

  it('names its tool or its package, or neither', () => {
    expect(isOne({})).toBe(true);
    expect(isOne({ delta: 10, reason: 'purchase', tool: null, package: 'basic' })).toBe(true);
    expect(isOne({ delta: 3, reason: 'signup', tool: null })).toBe(true);
  });

  it.each([{ balanceAfter: -1 }, { delta: 0.5 }, { reason: 'gift' }, { package: 'huge' }, { tool: 'no-tool' }])(
    'is not %j',
    (changed) => expect(isOne(changed)).toBe(false),
  );
});

describe('a session', () => {
  it.each([
    { ...session, credits: -1 },
    { ...session, user: { ...user, providers: ['facebook'] } },
    { ...session, user: undefined },
    { ...session, expiresAt: '' },
  ])('is not %j', (given) => {
    expect(sessionSchema.safeParse(session).success).toBe(true);
    expect(sessionSchema.safeParse(given).success).toBe(false);
  });

  it('may begin by the sign-in methods of the installation', () => {
    const options = { emailSignUp: true, google: 'local', demo: { email: 'demo@plinth.example' }, signUpCredits: 3 };
    expect(signInOptionsSchema.safeParse(options).success).toBe(true);
    expect(signInOptionsSchema.safeParse({ ...options, demo: null, google: 'off' }).success).toBe(true);
    expect(signInOptionsSchema.safeParse({ ...options, google: 'github' }).success).toBe(false);
  });
});

describe('why a result is given back', () => {
  it.each(returnReasons)('may be %s', (reason) => expect(returnSchema.parse({ reason })).toEqual({ reason }));

  it.each([{}, { reason: 'expensive' }, { reason: 'edges', credits: 5 }])('is not %j', (body) => {
    expect(returnSchema.safeParse(body).success).toBe(false);
  });
});

describe('a page of a list', () => {
  const page = pageSchema(mediaSchema);

  it('has items and the cursor of the next page', () => {
    expect(page.parse({ items: [media], nextCursor: 'abc' }).items).toHaveLength(1);
    expect(page.parse({ items: [], nextCursor: null }).nextCursor).toBeNull();
  });

  it('is invalid if one of its items is', () => {
    expect(page.safeParse({ items: [media, {}], nextCursor: null }).success).toBe(false);
    expect(page.safeParse({ items: [media] }).success).toBe(false);
  });
});
