import { escapeHtml, renderServerPage } from '../platform/http/server-page.ts';
import { writeReceiptLines } from './receipt-lines.ts';
import type { Receipt } from './receipts.ts';

/** A receipt as a page that prints on one sheet. */
export function renderReceiptPage(receipt: Receipt): string {
  const { title, note, seller, facts, item, sums } = writeReceiptLines(receipt);
  const [name = '', ...address] = seller.map(escapeHtml);
  const company = receipt.companyReceiptUrl;
  const content = `<h1>${title}</h1>
${note === null ? '' : `<p class="note">${note}</p>`}
<div class="heads">
<address><b>${name}</b>${address.map((line) => `<br>${line}`).join('')}</address>
<dl>${facts.map(([label, text]) => `<dt>${label}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>
</div>
<table>
<tr><th scope="row" colspan="2">${escapeHtml(item)}</th></tr>
${sums.map(({ label, sum, isTotal }) => `<tr${isTotal === true ? ' class="total"' : ''}><th scope="row">${label}</th><td>${sum}</td></tr>`).join('\n')}
</table>
<p class="links"><a href="receipt.pdf" download>Download as PDF</a>${
    company === null
      ? ''
      : ` <a href="${escapeHtml(company)}" rel="noopener noreferrer">Receipt of the payment company</a>`
  } <a href="/dashboard/account/purchases">Back to your purchases</a></p>`;
  return renderServerPage({ title: `${title} - Plinth`, mark: 'Plinth', content, style: STYLE });
}

const STYLE = `
main{max-width:640px;padding:40px}
.note{margin:0}
.heads{display:flex;flex-wrap:wrap;justify-content:space-between;gap:24px;margin:32px 0}
address{font-style:normal}
dl{display:grid;grid-template-columns:auto 1fr;gap:0 16px;margin:0}
dt{color:var(--soft)}
dd{margin:0}
.links{display:flex;flex-wrap:wrap;gap:8px 24px;margin:0}
.links a{white-space:nowrap}
@media (max-width:480px){main{padding:24px}h1{font-size:24px}}
@media print{:root{--wall:#fff;--sheet:#fff;--ink:#000;--soft:#444;--line:#bbb}body{display:block;padding:0}main{max-width:none;border:0;padding:0}.links{display:none}}
`;
