import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { writeReceiptLines } from './receipt-lines.ts';
import type { Receipt } from './receipts.ts';

// DejaVu Sans covers most left-to-right languages, the standard PDF fonts do not.
const require = createRequire(import.meta.url);
const FONT = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

// Points (1/72 inch) on A4.
const LEFT = 60;
const RIGHT = 535;
const LABELS = 310;
/** "VAT number" is 61 points wide. */
const FACTS = 378;
const SOFT = '#4f524f';

/** A receipt as a PDF of one page. */
export async function renderReceiptPdf(receipt: Receipt): Promise<Buffer> {
  const { title, note, seller, facts, item, sums } = writeReceiptLines(receipt);
  // The library is large and rarely needed, so it is imported on demand.
  const { default: PdfDocument } = await import('pdfkit');
  const pdf = new PdfDocument({ size: 'A4', margin: LEFT, font: FONT, info: { Title: title, Creator: 'Plinth' } });
  const written = buffer(pdf);
  pdf.font(BOLD, 22).text(title, LEFT, 60);
  if (note !== null) pdf.font(FONT, 10).fillColor(SOFT).text(note).fillColor('black');
  const [name = '', ...address] = seller;
  pdf.font(BOLD, 10).text(name, LEFT, 130, { width: 230 }).font(FONT, 10).text(address.join('\n'), { width: 230 });
  const below = pdf.y;
  pdf.y = 130;
  for (const [label, text] of facts) {
    const { y } = pdf;
    pdf
      .fillColor(SOFT)
      .text(label, LABELS, y)
      .fillColor('black')
      .text(text, FACTS, y, { width: RIGHT - FACTS });
  }
  let y = Math.max(below, pdf.y) + 30;
  for (const line of [{ label: item, sum: '' }, ...sums]) {
    pdf.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).stroke('#bbbbbb');
    pdf.font('isTotal' in line && line.isTotal === true ? BOLD : FONT, 10);
    pdf.text(line.label, LEFT, y + 8).text(line.sum, LEFT, y + 8, { width: RIGHT - LEFT, align: 'right' });
    y += 30;
  }
  pdf.end();
  return written;
}
