import type { Config } from '../config.ts';
import { makeProcessors, makeSeller } from '../make-processors.ts';
import type { Library } from '../media/library.ts';
import { reconcilePurchases } from '../payments/reconcile.ts';
import { approvePurchase, listReviews, rejectPurchase } from '../payments/review.ts';
import { createLog } from '../platform/log.ts';

type Words = { positionals: string[]; isReview: boolean };
type Print = (json: object, text: string) => void;

/** True for `purchases --review`, `approve ID`, `reject ID` and `reconcile`. */
export function isPurchaseCommand({ positionals: [command, ...more], isReview }: Words): boolean {
  if (command === 'purchases') return isReview && more.length === 0;
  if (command === 'reconcile') return !isReview && more.length === 0;
  return (command === 'approve' || command === 'reject') && !isReview && more.length === 1;
}

/** Returns the exit code: 2 where there is no such purchase under review, 1 where the company could not be reached. */
export async function runPurchaseCommand(
  config: Config,
  { db, clock }: Library,
  { positionals: [command, purchaseId = ''] }: Words,
  print: Print,
): Promise<number> {
  const options = { db, clock, seller: makeSeller(config), log: createLog(config.LOG_LEVEL) };
  if (command === 'purchases') {
    const items = await listReviews(db);
    const lines = items.map(({ id, email, reason }) => `${id}  ${email}  ${reason}`);
    print({ items }, lines.length === 0 ? 'No payment has to be looked at.' : lines.join('\n'));
    return 0;
  }
  if (command === 'reconcile') {
    const items = await reconcilePurchases(options, await makeProcessors(config, '', clock));
    const lines = items.map(({ purchaseId: id, outcome }) => `${id}  ${outcome}`);
    print({ items }, lines.length === 0 ? 'No purchase has been pending for long.' : lines.join('\n'));
    return items.some(({ outcome }) => outcome === 'unreachable') ? 1 : 0;
  }
  const decision = await (command === 'approve' ? approvePurchase : rejectPurchase)(options, purchaseId);
  print({ id: purchaseId, decision }, `${purchaseId}: ${decision.replaceAll('_', ' ')}`);
  return decision === 'not_in_review' ? 2 : 0;
}
