import { makeProcessors, makeSeller } from '../make-processors.ts';
import { reconcilePurchases } from '../payments/reconcile.ts';
import { approvePurchase, listReviews, rejectPurchase } from '../payments/review.ts';
import { createLog } from '../platform/log.ts';
import { type Opened, withLibrary } from './open.ts';
import type { Command, Given } from './arguments.ts';

/** Exit 2: there is no such purchase under review; 1: the company could not be reached. */
export const purchaseCommands: Command[] = [
  {
    name: 'purchases',
    words: 0,
    needs: ['review'],
    usage: [['purchases --review [--json]', 'lists payments that a person has to look at']],
    run: ({ print, environment }) =>
      withLibrary(environment, async ({ library }) => {
        const items = await listReviews(library.db);
        const lines = items.map(({ id, email, reason }) => `${id}  ${email}  ${reason}`);
        print({ items }, lines.length === 0 ? 'No payment has to be looked at.' : lines.join('\n'));
        return 0;
      }),
  },
  {
    name: 'approve',
    changes: true,
    words: 1,
    usage: [['approve PURCHASE [--json]', 'gives the credits of a payment under review']],
    run: (given) => decide(given, approvePurchase),
  },
  {
    name: 'reject',
    changes: true,
    words: 1,
    usage: [['reject PURCHASE [--json]', 'ends it without credits; the money is given back by hand']],
    run: (given) => decide(given, rejectPurchase),
  },
  {
    name: 'reconcile',
    changes: true,
    words: 0,
    usage: [['reconcile [--json]', 'asks the payment company about purchases that stay unpaid']],
    run: ({ print, environment }) =>
      withLibrary(environment, async (opened) => {
        const processors = await makeProcessors(opened.config, '', opened.library.clock);
        const items = await reconcilePurchases(makeOptions(opened), processors);
        const lines = items.map(({ purchaseId, outcome }) => `${purchaseId}  ${outcome}`);
        print({ items }, lines.length === 0 ? 'There is no purchase to ask about.' : lines.join('\n'));
        return items.some(({ outcome }) => outcome === 'unreachable') ? 1 : 0;
      }),
  },
];

const makeOptions = ({ config, library: { db, clock } }: Opened) => ({
  db,
  clock,
  seller: makeSeller(config),
  log: createLog(config.LOG_LEVEL, undefined, 'admin'),
});

function decide(
  { words: [id = ''], print, note, environment }: Given,
  act: typeof approvePurchase | typeof rejectPurchase,
) {
  note({ purchase: id });
  return withLibrary(environment, async (opened) => {
    const decision = await act(makeOptions(opened), id);
    print({ id, decision }, `${id}: ${decision.replaceAll('_', ' ')}`);
    return decision === 'not_in_review' ? 2 : 0;
  });
}
