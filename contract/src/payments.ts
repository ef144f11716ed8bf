import { z } from 'zod';
import { named } from './named.ts';

/** The three packages on sale. Prices in cents. */
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
  /** Once it is paid: a page to print, and the same as a file. */
  receipt: z.object({ number: z.string(), url: z.string(), pdfUrl: z.string() }).nullable(),
});
export type Purchase = z.infer<typeof purchaseSchema>;

/** Where the receipt of a paid purchase is shown; with `.pdf` behind it, the file. */
export function receiptPath(purchaseId: string): string {
  return `/api/v1/purchases/${purchaseId}/receipt`;
}

/** At most 200 characters; an empty text is none. */
const billingText = (form: RegExp) => z.string().trim().regex(form).nullable().default(null);

/** `GET` and `PUT /api/v1/account/billing`: what a person wants to read of themselves on receipts. */
export const billingDetailsSchema = z.strictObject({
  company: billingText(/^\P{Cc}{0,200}$/u),
  vatId: billingText(/^[A-Za-z0-9]{0,200}$/),
  address: billingText(/^[\P{Cc}\r\n]{0,200}$/u),
});
export type BillingDetails = z.infer<typeof billingDetailsSchema>;

export const sandboxActions = ['pay', 'decline', 'cancel'] as const;
export const sandboxActionSchema = z.strictObject({ action: z.enum(sandboxActions) });
export const sandboxAnswerSchema = z.object({ redirectTo: z.string() });

/** The packages as `GET /api/v1/packages` lists them. */
export function listPackages(): Package[] {
  return packageKeys.map((key) => {
    const { name, credits, priceCents, popular } = packages[key];
    return { key, name, credits, price: { amount: priceCents, currency: CURRENCY }, popular };
  });
}
