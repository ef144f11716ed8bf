import { MARK } from '../platform/http/mark.ts';
import { writeReceiptLines } from './receipt-lines.ts';
import type { Receipt } from './receipts.ts';

/** A receipt as a page that prints on one sheet. */
export function renderReceiptPage(receipt: Receipt): string {
  const { title, note, seller, facts, item, sums } = writeReceiptLines(receipt);
  const [name = '', ...address] = seller.map(escape);
  const company = receipt.companyReceiptUrl;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Plinth</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">${MARK} Plinth</p>
<h1>${title}</h1>
${note === null ? '' : `<p class="note">${note}</p>`}
<div class="heads">
<address><b>${name}</b>${address.map((line) => `<br>${line}`).join('')}</address>
<dl>${facts.map(([label, text]) => `<dt>${label}</dt><dd>${escape(text)}</dd>`).join('')}</dl>
</div>
<table>
<tr><th scope="row">${escape(item)}</th><td>1</td></tr>
${sums.map(({ label, sum, isTotal }) => `<tr${isTotal === true ? ' class="total"' : ''}><th scope="row">${label}</th><td>${sum}</td></tr>`).join('\n')}
</table>
<p class="links"><a href="receipt.pdf" download>Download as PDF</a>${
    company === null ? '' : ` <a href="${escape(company)}" rel="noopener noreferrer">Receipt of the payment company</a>`
  } <a href="/dashboard/credits">Back to your credits</a></p>
</main>
</body>
</html>
`;
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

const STYLE = `
:root{color-scheme:light dark;--wall:#f1f1ef;--sheet:#fff;--ink:#171918;--soft:#4f524f;--line:#d9d9d5}
@media (prefers-color-scheme:dark){:root{--wall:#131514;--sheet:#1b1e1c;--ink:#f1f2ef;--soft:#b9bdb8;--line:#2e322f}}
*{box-sizing:border-box}
body{margin:0;padding:20px;background:var(--wall);color:var(--ink);font:16px/1.6 system-ui,Arial,sans-serif}
main{width:100%;max-width:640px;margin:20px auto;padding:40px;background:var(--sheet);border:1px solid var(--line);border-radius:12px}
.mark{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px}
.mark svg{color:var(--ink)}
h1{margin:0 0 8px;font-size:clamp(24px,6vw,32px);line-height:1.2;font-weight:550;letter-spacing:-.02em}
.note{margin:0;color:var(--soft)}
.heads{display:flex;flex-wrap:wrap;justify-content:space-between;gap:24px;margin:32px 0}
address{font-style:normal;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto 1fr;gap:0 16px;margin:0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse;margin-bottom:32px}
th,td{padding:12px 0;border-top:1px solid var(--line);font-weight:400;text-align:left}
td{text-align:right;font-variant-numeric:tabular-nums}
.total th,.total td{font-weight:650}
.links{display:flex;flex-wrap:wrap;gap:8px 24px;margin:0}
a{color:inherit;text-underline-offset:3px}
a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
@media (max-width:480px){main{padding:24px}}
@media print{:root{--wall:#fff;--sheet:#fff;--ink:#000;--soft:#444;--line:#bbb}body{padding:0}main{margin:0;max-width:none;border:0;padding:0}.links{display:none}}
`;
