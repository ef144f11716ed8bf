import type { IncomingHttpHeaders } from 'node:http';
import type { PackageKey } from '@plinth/contract/payments';

/** What every payment company must be able to do for us. */
export type Processor = {
  name: string;
  /**
   * Opens a checkout and returns where the buyer pays. Repeating it for the same order gives the same checkout or a
   * new one for the same order; money is matched by the order's id alone.
   */
  openCheckout: (order: CheckoutOrder) => Promise<{ checkoutUrl: string; checkoutId: string }>;
  /**
   * Reads a webhook from its raw bytes.
   * @throws AppError webhook_signature_invalid
   */
  readWebhook: (rawBody: Buffer, headers: IncomingHttpHeaders) => PaymentEvent;
};

export type CheckoutOrder = {
  purchaseId: string;
  packageKey: PackageKey;
  credits: number;
  priceCents: number;
  currency: string;
  email: string;
  /** Where the buyer comes back to; `?success=true` or `false` is added. */
  returnUrl: string;
};

export type PaymentEvent = {
  /** The sender's own name for this message: the same message may come many times. */
  eventId: string;
  type: string;
  /** What happened to a purchase; null for messages that are none of our business. */
  effect: PaymentEffect | null;
};

export type PaymentEffect =
  | { kind: 'paid'; purchaseId: string; paymentId: string; amountCents: number; currency: string }
  | { kind: 'failed' | 'canceled' | 'expired'; purchaseId: string }
  | { kind: 'taken_back'; purchaseId: string };
