import type { IncomingHttpHeaders } from 'node:http';
import type { PackageKey } from '@plinth/contract/payments';

export type Processor = {
  name: 'sandbox' | 'stripe' | 'dodo';
  /** The company's name of what we sell as this package; a payment that names its products must name this one. */
  productOf: (packageKey: PackageKey) => string;
  /** Opens a checkout; a repetition may give another one for the order: money is matched by the order's id alone. */
  openCheckout: (order: CheckoutOrder) => Promise<OpenCheckout>;
  /** Reads a webhook from its raw bytes. @throws AppError webhook_signature_invalid */
  readWebhook: (rawBody: Buffer, headers: IncomingHttpHeaders, now: Date) => PaymentEvent;
  /** What became of a checkout, asked at the company; null while that is open. @throws when it cannot be reached */
  findOutcome: (checkout: { purchaseId: string; checkoutId: string }) => Promise<PaymentEffect | null>;
  /** The purchase that a payment was for; undefined when it is none of ours. @throws when it cannot be reached */
  findPurchaseId: (paymentId: string) => Promise<string | undefined>;
  /** How much a refund was whose message does not say so; 0 when they do not know. @throws when it cannot be reached */
  findRefundCents?: (refundId: string) => Promise<number>;
  /** Address of the company's own receipt; null when it gives none. @throws when it cannot be reached */
  findReceiptUrl: (paymentId: string) => Promise<string | null>;
  /** Asks something harmless with our key. @throws when the company cannot be reached or refuses the key */
  probe: () => Promise<void>;
};

/** Companies whose webhooks are accepted; the first opens the checkouts. */
export type Processors = readonly [Processor, ...Processor[]];

export type OpenCheckout = { checkoutUrl: string; checkoutId: string };

export type CheckoutOrder = {
  purchaseId: string;
  packageKey: PackageKey;
  packageName: string;
  credits: number;
  priceCents: number;
  currency: string;
  /** Undefined where the company refuses it: the buyer types one there. */
  email: string | undefined;
  /** Where the buyer comes back to; `?success=true` or `false` is added. */
  returnUrl: string;
  now: Date;
};

export type PaymentEvent = {
  /** The sender's own name for this message: the same message may come many times. */
  eventId: string;
  type: string;
  /** What happened to a purchase; null for messages that are none of our business. */
  effect: PaymentEffect | null;
};

export type Payment = {
  paymentId: string;
  /** What was paid in all, tax included. */
  amountCents: number;
  /** Three capital letters. */
  currency: string;
  taxCents: number;
  /** True where the company may put tax on top of our price. */
  mayAddTax: boolean;
  /** What was bought, in the company's names; null when the message does not say. */
  products: { product: string; quantity: number }[] | null;
  receiptUrl: string | null;
};

export type PaymentEffect =
  | ({ kind: 'paid'; purchaseId: string } & Payment)
  /** The buyer has decided, the money is on its way. */
  | { kind: 'started'; purchaseId: string; paymentId: string }
  | { kind: 'failed' | 'canceled' | 'expired'; purchaseId: string }
  | Reversal;

/** A refund, or a dispute that was lost. Real companies often name the payment only. */
export type Reversal = {
  kind: 'taken_back';
  purchaseId?: string | undefined;
  paymentId?: string | undefined;
  /** The company's name of it; a second message about it counts once, with its larger sum. */
  reversalId: string;
  /** Null: all that was paid; 0: a part, and nobody says how much. */
  cents: number | null;
};
