import { makeProcessors, makeSeller } from '../make-processors.ts';
import { reconcilePurchases } from '../payments/reconcile.ts';
import { approvePurchase, listReviews, rejectPurchase } from '../payments/review.ts';
import { createLog } from '../platform/log.ts';
import { onData, type Opened } from './open.ts';
import type { Command } from './arguments.ts';

/** Exit 2: no such purchase under review; 1: the company is unreachable. */
export const purchaseCommands: Command[] = [
  {
    usage: 'purchases --review',
    does: 'lists payments that a person has to look at',
    run: onData(async ({ library }) => {
      const items = await listReviews(library.db);
      const lines = items.map(({ id, email, reason }) => `${id}  ${email}  ${reason}`);
      return { json: { items }, text: lines.join('\n') || 'No payment has to be looked at.' };
    }),
  },
  {
    usage: 'approve PURCHASE',
    does: 'gives the credits of a payment under review',
    changes: true,
    run: decide(approvePurchase),
  },
  {
    usage: 'reject PURCHASE',
    does: 'ends it without credits; the money is given back by hand',
    changes: true,
    run: decide(rejectPurchase),
  },
  {
    usage: 'reconcile',
    does: 'asks the payment company about purchases that stay unpaid',
    changes: true,
    run: onData(async (opened) => {
      const processors = await makeProcessors(opened.config, '', opened.library.clock);
      const items = await reconcilePurchases(makeOptions(opened), processors);
      const lines = items.map(({ purchaseId, outcome }) => `${purchaseId}  ${outcome}`);
      return {
        json: { items },
        text: lines.join('\n') || 'There is no purchase to ask about.',
        code: items.some(({ outcome }) => outcome === 'unreachable') ? 1 : 0,
      };
    }),
  },
];

function decide(act: typeof approvePurchase | typeof rejectPurchase): Command['run'] {
  const run = onData(async ({ words: [id = ''], ...opened }) => {
    const decision = await act(makeOptions(opened), id);
    const text = `${id}: ${decision.replaceAll('_', ' ')}`;
    return { json: { id, decision }, text, code: decision === 'not_in_review' ? 2 : 0 };
  });
  return (input) => {
    input.note({ purchase: input.words[0] });
    return run(input);
  };
}

function makeOptions({ config, library: { db, clock } }: Pick<Opened, 'config' | 'library'>) {
  return { db, clock, seller: makeSeller(config), log: createLog(config.LOG_LEVEL, 'admin') };
}
