import { z } from 'zod';
import { named } from './named.ts';

/** The packages on sale. Prices are in cents. */
export const packages = {
  basic: { name: 'Basic', credits: 10, priceCents: 1000, popular: false },
  standard: { name: 'Standard', credits: 20, priceCents: 1500, popular: true },
  premium: { name: 'Premium', credits: 30, priceCents: 2000, popular: false },
} as const;
export type PackageKey = keyof typeof packages;
export const packageKeys = Object.keys(packages) as PackageKey[];

export const CURRENCY = 'USD';

export const moneySchema = named('Money', { amount: z.int().nonnegative(), currency: z.string().length(3) });

export const packageSchema = named('Package', {
  key: z.enum(packageKeys),
  name: z.string(),
  credits: z.int().positive(),
  price: moneySchema,
  popular: z.boolean(),
});
export type Package = z.infer<typeof packageSchema>;

export const purchaseStatuses = ['pending', 'paid', 'failed', 'expired', 'canceled', 'review'] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export const purchaseSchema = named('Purchase', {
  id: z.string(),
  package: z.enum(packageKeys),
  credits: z.int().positive(),
  price: moneySchema,
  status: z.enum(purchaseStatuses),
  checkoutUrl: z.string(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime().nullable(),
  /** A page to print and the same as a PDF; null until it is paid. */
  receipt: z.object({ number: z.string(), url: z.string(), pdfUrl: z.string() }).nullable(),
});
export type Purchase = z.infer<typeof purchaseSchema>;

/** Returns the path of a paid purchase's receipt page. With `.pdf` appended it is the file's. */
export function receiptPath(purchaseId: string): string {
  return `/api/v1/purchases/${purchaseId}/receipt`;
}

/** Text of at most 200 of these characters, as a pattern that programs in any language read: without `\p{…}`. */
const billingText = (characters: string) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^[${characters}]{0,200}$`, 'u'))
    .nullable()
    .default(null);

/** `GET` and `PUT /api/v1/account/billing`: the user's details for receipts. */
export const billingDetailsSchema = z.strictObject({
  // No control characters, but line breaks in an address.
  company: billingText(String.raw`^\x00-\x1f\x7f-\x9f`),
  vatId: billingText('A-Za-z0-9'),
  address: billingText(String.raw`^\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f`),
});
export type BillingDetails = z.infer<typeof billingDetailsSchema>;

export const sandboxActions = ['pay', 'decline', 'cancel'] as const;
export const sandboxActionSchema = z.strictObject({ action: z.enum(sandboxActions) });
export const sandboxAnswerSchema = z.object({ redirectTo: z.string() });

/** Returns the packages for `GET /api/v1/packages`. */
export function listPackages(): Package[] {
  return packageKeys.map((key) => {
    const { name, credits, priceCents, popular } = packages[key];
    return { key, name, credits, price: { amount: priceCents, currency: CURRENCY }, popular };
  });
}
