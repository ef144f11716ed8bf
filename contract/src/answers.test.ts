import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sessionEntrySchema, sessionSchema, signInOptionsSchema } from './auth.ts';
import { creditsSchema, ledgerEntrySchema, statementSchema } from './credits.ts';
import {
  generationSchema,
  headshotModelSchema,
  returnSchema,
  sceneSchema,
  toolEntrySchema,
  toolListSchema,
} from './generations.ts';
import { apiKeySchema, newApiKeySchema } from './keys.ts';
import { deletionReceiptSchema, mediaSchema } from './media.ts';
import { pageSchema } from './paging.ts';
import { listPackages, packageSchema, purchaseSchema, sandboxActionSchema } from './payments.ts';
import { runItemSchema, runSchema } from './runs.ts';
import { statusSchema, toolFiguresSchema } from './status.ts';
import { newWebhookEndpointSchema, webhookDeliverySchema } from './webhooks.ts';

/**
 * The browser and API clients parse responses with these schemas, and the server's tests check responses against them.
 * A schema that became too loose would hide a wrong response.
 */

const TIME = '2026-11-24T12:00:00.000Z';

const session = {
  user: { id: 'usr_1', email: 'a@example.com', displayName: 'a', hasPassword: true, providers: ['password'] },
  credits: 3,
  expiresAt: TIME,
};
const entry = {
  id: 'led_1',
  delta: -1,
  balanceAfter: 2,
  reason: 'debit',
  generationId: 'gen_1',
  purchaseId: null,
  tool: 'remover',
  package: null,
  createdAt: TIME,
};
const generation = {
  id: 'gen_1',
  tool: 'remover',
  status: 'succeeded',
  cost: 1,
  progress: { message: 'Done', percent: 100 },
  cancelRequested: false,
  result: {
    mediaId: 'med_1',
    mediaType: 'cutout',
    contentType: 'image/png',
    contentUrl: '/api/v1/media/med_1/content',
    downloadUrl: '/api/v1/media/med_1/download',
    originalFilename: 'cutout.png',
  },
  error: null,
  refunded: false,
  redoOf: null,
  redosLeft: 3,
  returned: false,
  input: {},
  createdAt: TIME,
  startedAt: TIME,
  finishedAt: TIME,
};
const media = {
  id: 'med_1',
  mediaType: 'cutout',
  contentType: 'image/png',
  bytes: 1200,
  width: 640,
  height: 480,
  originalFilename: 'cutout.png',
  generationId: 'gen_1',
  tool: 'remover',
  input: null,
  photoName: null,
  createdAt: TIME,
  expiresAt: TIME,
  contentUrl: '/api/v1/media/med_1/content',
  downloadUrl: '/api/v1/media/med_1/download',
};
const purchase = {
  id: 'pur_1',
  package: 'basic',
  credits: 10,
  price: { amount: 1000, currency: 'USD' },
  status: 'paid',
  checkoutUrl: 'https://example.com/pay',
  createdAt: TIME,
  completedAt: TIME,
  receipt: { number: 'R-1', url: '/api/v1/purchases/pur_1/receipt', pdfUrl: '/api/v1/purchases/pur_1/receipt.pdf' },
};
const counts = { total: 1, queued: 0, running: 0, succeeded: 1, failed: 0, canceled: 0 };
const run = {
  id: 'run_1',
  name: 'Mugs',
  tool: 'remover',
  fields: {},
  packs: [],
  look: null,
  status: 'finished',
  counts,
  incomplete: 0,
  credits: { spent: 1, returned: 0 },
  createdAt: TIME,
  finishedAt: null,
};
const figures = {
  ended: 20,
  succeeded: 18,
  refused: 1,
  failed: 1,
  medianSeconds: 0.9,
  p95Seconds: null,
  creditsReturned: 2,
};
const status = {
  parts: { engine: 'up', payments: 'up', storage: 'up', queue: 'up' },
  hours24: { tools: { remover: figures } },
  days30: { tools: {} },
  days: [{ date: '2026-11-24', ended: 20, succeeded: 18 }],
  toolDays: {},
};
const key = { id: 'key_1', name: 'Shop', prefix: 'plk_ab', createdAt: TIME, lastUsedAt: null };
const endpoint = {
  id: 'whe_1',
  url: 'https://example.com/hook',
  events: ['generation.finished'],
  createdAt: TIME,
  secret: 'whsec_c2VjcmV0',
};
const delivery = { id: 'msg_1', event: 'test', status: 'pending', attempts: 0, nextTryAt: TIME, createdAt: TIME };
const tool = {
  id: 'remover',
  name: 'Background removal',
  cost: 1,
  mediaType: 'cutout',
  servedBy: { kind: 'built-in', name: 'Plinth engine' },
  returnable: true,
  fields: [{ name: 'image', type: 'image', required: true }],
};
const receipt = {
  id: 'med_1',
  kind: 'result',
  createdAt: TIME,
  deletedAt: TIME,
  cause: 'by you',
  sha256: 'a0'.repeat(32),
};

type Changes = Record<string, Record<string, unknown>>;
const user = (change: object) => ({ user: { ...session.user, ...change } });
const price = (change: object) => ({ price: { ...purchase.price, ...change } });
const progress = (percent: number) => ({ progress: { message: '', percent } });

/** Each schema with a valid value, and by name the changes that make it invalid. */
const SHAPES: [string, z.ZodType, object, Changes][] = [
  [
    'a session',
    sessionSchema,
    session,
    {
      'a debt': { credits: -1 },
      'half a credit': { credits: 0.5 },
      'a way in that there is not': user({ providers: ['other'] }),
      'no e-mail': user({ email: undefined }),
      'a date without time': { expiresAt: '2026-11-24' },
    },
  ],
  [
    'a signed-in browser',
    sessionEntrySchema,
    { id: 'ses_1', current: true, createdAt: TIME, lastSeenAt: TIME, userAgent: '' },
    { 'a text for a yes': { current: 'yes' }, 'seconds for a time': { lastSeenAt: 1_700_000_000 } },
  ],
  [
    'the ways to sign in',
    signInOptionsSchema,
    { emailSignUp: true, google: 'off', demo: null, signUpCredits: 3 },
    {
      'another way': { google: 'maybe' },
      'a debt to begin with': { signUpCredits: -3 },
      'no word of a demo': { demo: undefined },
    },
  ],
  ['a balance', creditsSchema, { credits: 0 }, { 'a debt': { credits: -1 }, 'a text': { credits: '3' } }],
  [
    'a line of the ledger',
    ledgerEntrySchema,
    entry,
    {
      'half a credit': { delta: -0.5 },
      'a balance below nothing': { balanceAfter: -1 },
      'a reason that there is not': { reason: 'gift' },
      'a package that is not sold': { package: 'huge' },
      'no word of its tool': { tool: undefined },
    },
  ],
  [
    'a statement',
    statementSchema,
    { rule: 'sha256', count: 1, items: [{ ...entry, hash: 'ab' }] },
    { 'a line without its hash': { items: [entry] }, 'a count below nothing': { count: -1 } },
  ],
  [
    'a key',
    apiKeySchema,
    key,
    { 'no word of its use': { lastUsedAt: undefined }, 'another time': { lastUsedAt: 'yesterday' } },
  ],
  ['a new key', newApiKeySchema, { ...key, secret: 'plk_abc' }, { 'a number for a secret': { secret: 5 } }],
  [
    'a new endpoint',
    newWebhookEndpointSchema,
    endpoint,
    { 'no secret': { secret: undefined }, 'an event that there is not': { events: ['media.deleted'] } },
  ],
  [
    'a delivery',
    webhookDeliverySchema,
    delivery,
    { 'a status that there is not': { status: 'lost' }, 'no word of the next try': { nextTryAt: undefined } },
  ],
  [
    'a generation',
    generationSchema,
    generation,
    {
      'a price below nothing': { cost: -1 },
      'more than all of it': progress(101),
      'less than nothing of it': progress(-1),
      'a tool that there is not': { tool: 'painter' },
      'an end that there is not': { status: 'lost' },
      'a failure without a known code': { error: { code: 'oops', message: '' } },
      'no word of its result': { result: undefined },
    },
  ],
  [
    'a result in the history',
    mediaSchema,
    media,
    { 'no width': { width: 0 }, 'half a byte': { bytes: 0.5 }, 'an end without a time': { expiresAt: null } },
  ],
  [
    'a receipt of a deleted file',
    deletionReceiptSchema,
    receipt,
    {
      'a short hash': { sha256: 'a0' },
      'a long hash': { sha256: 'a0'.repeat(33) },
      'a hash in capitals': { sha256: 'A0'.repeat(32) },
      'no cause': { cause: '' },
    },
  ],
  [
    'a tool',
    toolEntrySchema,
    tool,
    { 'no price': { cost: 0 }, 'nobody who serves it': { servedBy: null }, 'a nameless field': { fields: [{}] } },
  ],
  ['all tools', toolListSchema, { items: [tool], returnsLeft: 2 }, { 'a debt of returns': { returnsLeft: -1 } }],
  [
    'a scene',
    sceneSchema,
    { id: 'loft', words: 'a loft', imageUrl: '/loft.webp' },
    { 'no picture': { imageUrl: null } },
  ],
  [
    'a stock portrait',
    headshotModelSchema,
    { id: 'mei', name: 'Mei', imageUrl: '/mei.webp' },
    { 'no name': { name: undefined } },
  ],
  [
    'a package',
    packageSchema,
    { key: 'basic', name: 'Basic', credits: 10, price: purchase.price, popular: false },
    { 'no credits': { credits: 0 }, 'a price in parts of a cent': price({ amount: 0.5 }) },
  ],
  [
    'a purchase',
    purchaseSchema,
    purchase,
    {
      'a price below nothing': price({ amount: -1 }),
      'a sign for a currency': price({ currency: '$' }),
      'a status that there is not': { status: 'maybe' },
      'no word of its receipt': { receipt: undefined },
    },
  ],
  [
    'a catalogue',
    runSchema,
    run,
    {
      'a count of every end but one': { counts: { ...counts, failed: undefined } },
      'more returned than nothing': { credits: { spent: 1, returned: -1 } },
    },
  ],
  [
    'an item of it',
    runItemSchema,
    {
      id: 'itm_1',
      sku: null,
      filename: 'mug.jpg',
      heightCm: 12.5,
      asin: null,
      ean: null,
      role: 'PT01',
      handle: null,
      alt: 'mug',
      generation,
      missingFiles: [],
    },
    {
      'no generation': { generation: null },
      'a file of no pack': { missingFiles: [{ pack: 'none', refusal: 'cutout_needed' }] },
    },
  ],
  ['the figures of a tool', toolFiguresSchema, figures, { 'a time below nothing': { medianSeconds: -1 } }],
  [
    'the state of the site',
    statusSchema,
    status,
    {
      'a tool that there is not': { hours24: { tools: { painter: figures } } },
      'a day that there is not': { days: [{ date: '2026-02-30', ended: 1, succeeded: 1 }] },
    },
  ],
];

describe.each(SHAPES)('%s', (_, shape, good, changes) => {
  it('is accepted, also with a field that a later version adds', () => {
    expect(shape.parse(good)).toEqual(good);
    expect(shape.safeParse({ ...good, added: 1 }).success).toBe(true);
  });

  it.each(Object.entries(changes))('is rejected with %s', (_name, change) => {
    expect(shape.safeParse({ ...good, ...change }).success).toBe(false);
  });

  it.each([null, [], 'text', 5])('is not %j', (other) => {
    expect(shape.safeParse(other).success).toBe(false);
  });
});

describe('a page', () => {
  const page = pageSchema(creditsSchema);

  it('says whether another one follows', () => {
    expect(page.safeParse({ items: [], nextCursor: null }).success).toBe(true);
    expect(page.safeParse({ items: [{ credits: 1 }], nextCursor: 'abc' }).success).toBe(true);
    expect(page.safeParse({ items: [] }).success).toBe(false);
  });

  it('has no item of another shape', () => {
    expect(page.safeParse({ items: [{ credits: -1 }], nextCursor: null }).success).toBe(false);
  });
});

it('every package on sale matches the schema of the list', () => {
  expect(z.array(packageSchema).parse(listPackages())).toEqual(listPackages());
});

describe.each([
  ['a return', returnSchema, { reason: 'edges' }],
  ['an answer at the sandbox checkout', sandboxActionSchema, { action: 'pay' }],
])('%s', (_, shape, good) => {
  it('is accepted as it is, and rejected with another field or empty', () => {
    expect(shape.safeParse(good).success).toBe(true);
    expect(shape.safeParse({ ...good, amount: 1 }).success).toBe(false);
    expect(shape.safeParse({}).success).toBe(false);
  });
});
