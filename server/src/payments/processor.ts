import type { IncomingHttpHeaders } from 'node:http';
import type { PackageKey } from '@plinth/contract/payments';

export type Processor = {
  name: 'sandbox' | 'stripe' | 'dodo';
  /** The company's product id of this package; a payment that names products must name this one. */
  productOf: (packageKey: PackageKey) => string;
  /** Opens a checkout. A repetition may open another one: payments are matched by the order's id alone. */
  openCheckout: (order: CheckoutOrder) => Promise<OpenCheckout>;
  /** Verifies and parses a webhook from its raw bytes. @throws AppError webhook_signature_invalid */
  readWebhook: (rawBody: Buffer, headers: IncomingHttpHeaders) => PaymentEvent;
  /** Asks the company for a checkout's outcome; null while it is open. @throws if the company is unreachable */
  findOutcome: (checkout: { purchaseId: string; checkoutId: string }) => Promise<PaymentEffect | null>;
  /** The purchase of a payment; undefined if it is not ours. @throws if the company is unreachable */
  findPurchaseId: (paymentId: string) => Promise<string | undefined>;
  /** The amount of a refund whose message lacks it; 0 if unknown. @throws if the company is unreachable */
  findRefundCents?: (refundId: string) => Promise<number>;
  /** Address of the company's own receipt; null if there is none. @throws if the company is unreachable */
  findReceiptUrl: (paymentId: string) => Promise<string | null>;
  /** Makes a harmless request with our key. @throws if the company is unreachable or rejects the key */
  probe: () => Promise<void>;
};

/** Companies whose webhooks are accepted; the first opens the checkouts. */
export type Processors = readonly [Processor, ...Processor[]];

type OpenCheckout = { checkoutUrl: string; checkoutId: string };

export type CheckoutOrder = {
  purchaseId: string;
  packageKey: PackageKey;
  /** Undefined if the company rejects it: then the buyer enters one there. */
  email: string | undefined;
  /** Return address of the buyer; `?success=true` or `false` is appended. */
  returnUrl: string;
};

export type PaymentEvent = {
  /** The sender's id of this message, which may be delivered many times. */
  eventId: string;
  type: string;
  /** What happened to a purchase; null for irrelevant messages. */
  effect: PaymentEffect | null;
};

export type Payment = {
  paymentId: string;
  /** The total paid, including tax. */
  amountCents: number;
  /** ISO 4217 code in capital letters. */
  currency: string;
  taxCents: number;
  /** True if the company may add tax to our price. */
  mayAddTax: boolean;
  /** The company's ids of the products; null if the message does not name them. */
  products: { product: string; quantity: number }[] | null;
  receiptUrl: string | null;
};

export type PaymentEffect =
  | ({ kind: 'paid'; purchaseId: string } & Payment)
  /** The buyer has paid and the money is in transit. */
  | { kind: 'started'; purchaseId: string; paymentId: string }
  | { kind: 'failed' | 'canceled' | 'expired'; purchaseId: string }
  | Reversal
  | Doubt;

/** A refund that failed, or a dispute that expired: only the company's own pages tell who has the money now. */
type Doubt = { kind: 'in_doubt'; purchaseId?: string | undefined; paymentId?: string | undefined };

/** A refund or a lost dispute. Companies often name only the payment. */
export type Reversal = {
  kind: 'taken_back';
  purchaseId?: string | undefined;
  paymentId?: string | undefined;
  /** The company's id of it; repeated messages count once, with the larger amount. */
  reversalId: string;
  /** Null: the total; 0: a part of unknown amount. */
  cents: number | null;
};
