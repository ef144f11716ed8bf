import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../src/credits/audit.ts';
import { fulfilPurchase } from '../src/payments/fulfil.ts';
import { countReviews, listReviews, rejectPurchase } from '../src/payments/review.ts';
import { makeStripe } from '../src/payments/stripe.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openDatabase } from '../src/platform/data/db.ts';
import { startTestApp, type TestApp } from './app.ts';
import { type Company, deliver, type Message, paymentOf, startDodo, startStripe } from './companies.ts';
import { makePurchase, makeUser } from './makers.ts';

/** One order paid twice, as by a buyer with two tabs: a message about one payment does not concern the other. */

type SentMessage = { kind: 'paid' | 'refund' | 'lost' | 'won'; payment: 'A' | 'B'; refunded?: number };
const EVERYTHING: SentMessage[] = (['A', 'B'] as const).flatMap((payment) => [
  { kind: 'paid', payment },
  { kind: 'refund', payment, refunded: 500 },
  { kind: 'lost', payment },
  { kind: 'won', payment },
]);

/** The required outcome: the first payment reported brings the credits, and only its own refunds take them back. */
function expectedOf(messages: SentMessage[]): { credits: number; isForReview: boolean } {
  const own = messages.find(({ kind }) => kind === 'paid')?.payment;
  const takenBack = messages.filter(({ kind }) => kind === 'refund' || kind === 'lost');
  const ofOwn = takenBack.filter(({ payment }) => payment === own);
  const isLost = ofOwn.some(({ kind, refunded = 1500 }) => kind === 'lost' || refunded >= 1500);
  const credits = own === undefined || isLost ? 0 : ofOwn.length > 0 ? 14 : 20;
  const isPaidTwice = messages.filter(({ kind }) => kind === 'paid').length > 1;
  return { credits, isForReview: own !== undefined && (isPaidTwice || takenBack.length > ofOwn.length) };
}

describe.each([
  ['stripe', startStripe],
  ['dodo', startDodo],
])('an order paid twice at %s', (_name, start) => {
  let app: TestApp;
  let company: Company;
  beforeAll(async () => {
    company = await start();
    app = await startTestApp(company.settings());
  });
  afterAll(async () => {
    await app.close();
    company.close();
  });

  /** Sends these messages about a new order, in turn or concurrently, and checks the outcome. */
  async function expectRight(messages: SentMessage[], isAtOnce = false) {
    const user = await makeUser(app);
    const { id: purchaseId } = await makePurchase(user);
    const deliverMessage = async ({ payment, ...content }: SentMessage) => {
      const message: Message = { ...content, purchaseId, paymentId: `${paymentOf(purchaseId)}_${payment}` };
      expect((await deliver(app, company, message)).status).toBe(200);
    };
    if (isAtOnce) await Promise.all(messages.map(deliverMessage));
    else for (const one of messages) await deliverMessage(one);
    const reviewed = (await listReviews(app.db)).filter(({ id }) => id === purchaseId);
    const seen = { credits: await user.credits(), isForReview: reviewed.length > 0 };
    if (!isAtOnce) expect([messages, seen]).toEqual([messages, expectedOf(messages)]);
    return { user, purchaseId, seen, reviewed };
  }

  it.each(['A', 'B'] as const)(
    'keeps its credits when the second payment goes back, the first being %s',
    async (own) => {
      const other = own === 'A' ? 'B' : 'A';
      for (const kind of ['refund', 'lost'] as const) {
        const { reviewed, purchaseId } = await expectRight([
          { kind: 'paid', payment: own },
          { kind: 'paid', payment: other },
          { kind, payment: other },
        ]);
        expect(reviewed[0]?.reason).toContain(`${paymentOf(purchaseId)}_${other}`);
        expect(reviewed[0]?.reason).not.toContain(`${paymentOf(purchaseId)}_${own}`);
      }
    },
  );

  it('comes out right in every order of what is told, and stands in the ledger so', { tags: ['slow'] }, async () => {
    const some = fc.shuffledSubarray(EVERYTHING, { minLength: 2 });
    await fc.assert(
      fc.asyncProperty(some, (messages) => expectRight(messages).then(() => undefined)),
      { numRuns: 20 },
    );
    expect(await auditLedger(app.db)).toEqual([]);
  });

  it('loses what its own payment loses, however it meets the other one', async () => {
    const { user, seen } = await expectRight(
      [
        { kind: 'paid', payment: 'A' },
        { kind: 'paid', payment: 'B' },
        { kind: 'refund', payment: 'A', refunded: 500 },
        { kind: 'refund', payment: 'B', refunded: 500 },
      ],
      true,
    );
    expect(seen).toEqual({ credits: 14, isForReview: true });
    expect((await user.ledger()).map(({ delta }) => delta).sort((a, b) => a - b)).toEqual([-6, 20]);
  });

  it('is looked at until the operator has dealt with both', async () => {
    const before = await countReviews(app.db);
    const { purchaseId } = await expectRight([
      { kind: 'refund', payment: 'B' },
      { kind: 'paid', payment: 'A' },
    ]);
    expect(await countReviews(app.db)).toBe(before + 1);
    const options = { db: app.db, clock: { now: () => new Date() }, seller: NOBODY };
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
    expect(await countReviews(app.db)).toBe(before);
    expect(await rejectPurchase(options, purchaseId)).toBe('not_in_review');
  });
});

describe.each([
  ['a refund that failed at Stripe', startStripe, 'refund.failed'],
  ['a dispute that expired at Dodo', startDodo, 'dispute.expired'],
] as const)('%s, which does not say who has the money now,', (_what, start, type) => {
  it('changes no credits and is looked at until the operator has dealt with it', async () => {
    const company = await start();
    const app = await startTestApp(company.settings());
    onTestFinished(async () => {
      await app.close();
      company.close();
    });
    const user = await makeUser(app);
    const { id: purchaseId } = await makePurchase(user);
    const tell = async (kind: Message['kind'], id: string = kind) =>
      expect((await deliver(app, company, { kind, purchaseId }, { id })).status).toBe(200);
    await tell('paid');
    await tell('refund');
    expect([await user.credits(), await countReviews(app.db)]).toEqual([0, 0]);
    for (const id of ['one', 'one', 'two']) await tell('doubtful', id);
    expect(await user.credits()).toBe(0);
    expect(app.logged.join('')).toContain('"event":"purchase_in_review"');
    expect(await listReviews(app.db)).toMatchObject([
      { id: purchaseId, reason: expect.stringContaining(`${type} of ${paymentOf(purchaseId)}`) },
    ]);
    const options = { db: app.db, clock: { now: () => new Date() }, seller: NOBODY };
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
    expect([await countReviews(app.db), (await user.ledger()).length]).toEqual([0, 2]);
    expect(await rejectPurchase(options, purchaseId)).toBe('not_in_review');
    expect(await auditLedger(app.db)).toEqual([]);
  });
});

const NOBODY = { name: null, address: null, taxId: null, email: null };

describe('a refund of a part at Dodo that does not say how much', () => {
  let app: TestApp;
  let company: Company;
  beforeAll(async () => {
    company = await startDodo();
    app = await startTestApp(company.settings());
  });
  afterAll(async () => {
    await app.close();
    company.close();
  });
  const refund = async (unsaid: 'here' | 'everywhere', purchaseId: string) =>
    (await deliver(app, company, { kind: 'refund', purchaseId, refunded: 500, unsaid })).status;
  const buy = async () => {
    const user = await makeUser(app);
    const { id: purchaseId } = await makePurchase(user);
    await deliver(app, company, { kind: 'paid', purchaseId });
    return { user, purchaseId };
  };

  it('is asked about, and heard again later when the company does not answer', async () => {
    const { user, purchaseId } = await buy();
    company.mood = 'down';
    expect([await refund('here', purchaseId), await user.credits()]).toEqual([503, 20]);
    company.mood = 'well';
    expect([await refund('here', purchaseId), await user.credits()]).toEqual([200, 14]);
    expect(await countReviews(app.db)).toBe(0);
  });

  it('is looked at when the company does not know either, until the operator has dealt with it', async () => {
    const { user, purchaseId } = await buy();
    expect(await refund('everywhere', purchaseId)).toBe(200);
    expect(app.logged.join('')).toContain('"event":"purchase_in_review","sender":"dodo","outcome":"review"');
    expect(await listReviews(app.db)).toMatchObject([{ id: purchaseId, reason: expect.stringContaining('ref_x500') }]);
    expect(await user.credits()).toBe(20);
    const options = { db: app.db, clock: { now: () => new Date() }, seller: NOBODY };
    expect(await rejectPurchase(options, purchaseId)).toBe('rejected');
    expect([await countReviews(app.db), await user.credits()]).toEqual([0, 20]);
    expect(await auditLedger(app.db)).toEqual([]);
  });
});

it('one payment told twice in the same moment to two processes brings its credits once', async () => {
  const company = await startStripe();
  const app = await startTestApp(company.settings());
  const settings = {
    secretKey: 'sk_test_of-the-test',
    apiUrl: company.settings().STRIPE_API_URL ?? '',
    webhookSecrets: (company.settings().STRIPE_WEBHOOK_SECRET ?? '').split(','),
    prices: {},
  };
  const stripe = makeStripe(settings, systemClock);
  const processes = [openDatabase(app.databaseUrl), openDatabase(app.databaseUrl)];
  try {
    for (let time = 0; time < 5; time += 1) {
      const user = await makeUser(app);
      const { id: purchaseId } = await makePurchase(user);
      // The same message, and another one about the same payment.
      const messages = ['evt_one', 'evt_one', 'evt_two'].map((id) =>
        company.message({ kind: 'paid', purchaseId }, { id: `${id}_${time}` }),
      );
      const outcomes = await Promise.all(
        messages.map(({ headers, body }, at) => {
          const event = stripe.readWebhook(Buffer.from(body), headers);
          const db = processes[at % 2]?.db ?? app.db;
          return fulfilPurchase({ db, clock: { now: () => new Date() }, seller: NOBODY }, stripe, event);
        }),
      );
      expect(outcomes.toSorted()).toEqual(['processed', 'repeated', 'repeated']);
      expect((await user.ledger()).map(({ delta }) => delta)).toEqual([20]);
    }
    expect(await auditLedger(app.db)).toEqual([]);
  } finally {
    await Promise.all(processes.map((one) => one.close()));
    await app.close();
    company.close();
  }
});
