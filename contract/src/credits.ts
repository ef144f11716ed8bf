import { z } from 'zod';
import { named } from './named.ts';
import { packageKeys } from './payments.ts';
import { toolIds } from './tools.ts';

const creditReasons = ['purchase', 'debit', 'refund', 'signup', 'adjustment', 'reversal'] as const;
export type CreditReason = (typeof creditReasons)[number];

export const creditsSchema = z.object({ credits: z.int().nonnegative() });

/** One line of the append-only credit ledger; `delta` in credits, negative when spent. */
export const ledgerEntrySchema = named('LedgerEntry', {
  id: z.string(),
  delta: z.int(),
  balanceAfter: z.int().nonnegative(),
  reason: z.enum(creditReasons),
  generationId: z.string().nullable(),
  purchaseId: z.string().nullable(),
  tool: z.enum(toolIds).nullable(),
  package: z.enum(packageKeys).nullable(),
  createdAt: z.iso.datetime(),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** The whole ledger, oldest entry first. `rule` explains how each hash derives from the previous entry. */
export const statementSchema = z.object({
  rule: z.string(),
  count: z.int().nonnegative(),
  items: z.array(ledgerEntrySchema.extend({ hash: z.string() })),
});
export type Statement = z.infer<typeof statementSchema>;
