import { describe, expect, it } from 'vitest';
import {
  CURRENCY,
  listPackages,
  moneySchema,
  packageKeys,
  packages,
  packageSchema,
  receiptPath,
  sandboxActions,
  sandboxActionSchema,
} from './payments.ts';

describe.each(packageKeys)('the package %s', (key) => {
  const { credits, priceCents } = packages[key];

  it('costs whole dollars, for whole credits', () => {
    expect(priceCents % 100).toBe(0);
    expect(priceCents).toBeGreaterThan(0);
    expect(Number.isInteger(credits) && credits > 0).toBe(true);
  });

  it('is listed with its price in cents of the currency', () => {
    const listed = listPackages().find((one) => one.key === key);
    expect(packageSchema.parse(listed)).toMatchObject({ credits, price: { amount: priceCents, currency: CURRENCY } });
  });
});

describe('the packages together', () => {
  const inOrder = listPackages();

  it('give more credits for more money, and each credit for less', () => {
    for (const [n, one] of inOrder.entries()) {
      const smaller = inOrder[n - 1];
      if (smaller === undefined) continue;
      expect(one.credits).toBeGreaterThan(smaller.credits);
      expect(one.price.amount).toBeGreaterThan(smaller.price.amount);
      expect(one.price.amount / one.credits).toBeLessThan(smaller.price.amount / smaller.credits);
    }
  });

  it('have one that is popular', () => {
    expect(inOrder.filter(({ popular }) => popular)).toHaveLength(1);
  });

  it('have different names', () => {
    expect(new Set(inOrder.map(({ name }) => name)).size).toBe(inOrder.length);
  });
});

describe('money', () => {
  it.each([
    { amount: 10.5, currency: 'USD' },
    { amount: -1, currency: 'USD' },
    { amount: 100, currency: 'US' },
    { amount: '100', currency: 'USD' },
    { amount: 100 },
  ])('is not %j', (money) => {
    expect(moneySchema.safeParse(money).success).toBe(false);
  });
});

describe('the action at the sandbox checkout', () => {
  it.each(sandboxActions)('may be %s', (action) => {
    expect(sandboxActionSchema.parse({ action })).toEqual({ action });
  });

  it.each([{}, { action: 'refund' }, { action: 'pay', credits: 1000 }])('is not %j', (body) => {
    expect(sandboxActionSchema.safeParse(body).success).toBe(false);
  });
});

it('the path of a receipt is below its purchase', () => {
  expect(receiptPath('p1')).toBe('/api/v1/purchases/p1/receipt');
});
