import type { FastifyInstance } from 'fastify';
import type { Db } from '../platform/data/db.ts';
import { sendHtml } from '../platform/http/headers.ts';
import { requireUser } from '../platform/http/caller.ts';
import { addRoute } from '../platform/http/route.ts';
import type { Processors } from './processor.ts';
import { renderReceiptPage } from './receipt-page.ts';
import { renderReceiptPdf } from './receipt-pdf.ts';
import { getReceipt } from './receipts.ts';

/** The receipt of the caller's paid purchase, as a printable page and as a PDF. */
export function addReceiptRoutes(http: FastifyInstance, { db, processors }: { db: Db; processors: Processors }): void {
  addRoute(http, 'get /purchases/{id}/receipt', async (request, reply) => {
    const receipt = await getReceipt(db, processors, requireUser(request).userId, request.params.id);
    return sendHtml(reply, renderReceiptPage(receipt));
  });
  addRoute(http, 'get /purchases/{id}/receipt.pdf', { counts: 'download' }, async (request, reply) => {
    const receipt = await getReceipt(db, processors, requireUser(request).userId, request.params.id);
    return reply
      .type('application/pdf')
      .header('Content-Disposition', `attachment; filename="plinth-receipt-${receipt.number}.pdf"`)
      .send(await renderReceiptPdf(receipt));
  });
}
