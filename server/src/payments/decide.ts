import type { Payment, PaymentEffect, Processor } from './processor.ts';
import type { LockedPurchase } from './purchases.ts';

/** Decides what a payment company's message means for its purchase. Pure: no I/O. */

export type WebhookOutcome =
  | 'processed'
  | 'repeated'
  | 'ignored'
  | 'unknown_purchase'
  | 'review'
  | 'paid_twice'
  | 'other_payment'
  | 'in_doubt';

/** `mismatch`: why the payment does not fit the order, as a sentence for the operator. */
type Decision = { outcome: WebhookOutcome; mismatch: string | null };

/** Decides by a purchase's current state; undefined if the message names no purchase of ours. */
export function decide(
  effect: PaymentEffect | null,
  purchase: LockedPurchase | undefined,
  processor: Pick<Processor, 'productOf'>,
): Decision {
  const toDecision = (outcome: WebhookOutcome, mismatch: string | null = null): Decision => ({ outcome, mismatch });
  if (effect === null) return toDecision('ignored');
  if (purchase === undefined) return toDecision('unknown_purchase');
  if (effect.kind === 'in_doubt') return toDecision('in_doubt');
  const { status } = purchase;
  const hasPayment = status === 'paid' || status === 'review';
  if (effect.kind === 'taken_back') {
    if (hasPayment && !isOwnPayment(purchase, effect.paymentId)) return toDecision('other_payment');
    return toDecision(effect.cents === 0 ? 'review' : 'processed');
  }
  if (effect.kind !== 'paid') return toDecision(status === 'pending' ? 'processed' : 'repeated');
  // Paid is final. A purchase under review is decided by a person.
  if (hasPayment) return toDecision(effect.paymentId === purchase.paymentId ? 'repeated' : 'paid_twice');
  const mismatch = findMismatch(effect, purchase, processor);
  return mismatch === null ? toDecision('processed') : toDecision('review', mismatch);
}

/** False if a payment is certainly not the purchase's own. Either may be unknown. */
function isOwnPayment({ paymentId: ownPaymentId }: LockedPurchase, paymentId = ''): boolean {
  return paymentId === '' || ownPaymentId === null || ownPaymentId === '' || paymentId === ownPaymentId;
}

function findMismatch(
  payment: Payment,
  purchase: LockedPurchase,
  { productOf }: Pick<Processor, 'productOf'>,
): string | null {
  const { amountCents, currency, products } = payment;
  if (purchase.isAccountDeleted)
    return 'the account is deleted: give the money back at the payment company, then reject';
  if (currency !== purchase.currency) return `paid in ${currency || 'no readable currency'}, not ${purchase.currency}`;
  const isEnough = payment.mayAddTax ? amountCents >= purchase.priceCents : amountCents === purchase.priceCents;
  if (!isEnough) return `paid ${amountCents} cents, the price is ${purchase.priceCents}`;
  if (products === null) return null;
  const expected = productOf(purchase.package);
  const [bought, ...more] = products;
  if (bought?.product === expected && bought.quantity === 1 && more.length === 0) return null;
  return `bought ${products.map((one) => `${one.quantity} x ${one.product}`).join(', ')}, not ${expected}`;
}
