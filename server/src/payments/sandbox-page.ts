import { MARK } from '../platform/http/mark.ts';
import type { SandboxOrder } from './sandbox.ts';

/** The page of the sandbox checkout: order, Pay, Decline, Cancel. Works with the keyboard and a screen reader. */
export function renderSandboxPage(order: SandboxOrder, token: string): string {
  const price = (order.priceCents / 100).toLocaleString('en-US', { style: 'currency', currency: order.currency });
  const name = order.packageName.charAt(0).toUpperCase() + order.packageName.slice(1);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox checkout</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">${MARK} Sandbox checkout</p>
<h1>${price}</h1>
<p class="note">This page stands in for a card payment provider. No money moves and no card is asked for.</p>
<table>
<tr><th scope="row">${name} package</th><td>${order.credits} credits</td></tr>
<tr><th scope="row">Quantity</th><td>1</td></tr>
<tr class="total"><th scope="row">Total</th><td>${price}</td></tr>
</table>
<form id="checkout" data-token="${token}" data-status="${order.status}">
<button type="submit" name="action" value="pay" class="pay">Pay ${price}</button>
<button type="submit" name="action" value="decline">Decline the card</button>
<button type="submit" name="action" value="cancel">Cancel and go back</button>
</form>
<p role="status" id="status">${order.status === 'paid' ? 'This order is already paid.' : ''}</p>
<noscript><p>Please switch on JavaScript to use the sandbox checkout.</p></noscript>
</main>
<script src="/sandbox/checkout.js"></script>
</body>
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark;--wall:#f1f1ef;--sheet:#fff;--ink:#171918;--soft:#4f524f;--line:#d9d9d5;--edge:#80827d}
@media (prefers-color-scheme:dark){:root{--wall:#131514;--sheet:#1b1e1c;--ink:#f1f2ef;--soft:#b9bdb8;--line:#2e322f;--edge:#747a75}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;background:var(--wall);color:var(--ink);font:16px/1.6 system-ui,Arial,sans-serif}
main{width:100%;max-width:440px;padding:32px;background:var(--sheet);border:1px solid var(--line);border-radius:12px}
.mark{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px}
.mark svg{color:var(--ink)}
h1{margin:4px 0 8px;font-size:52px;line-height:1.05;font-weight:500;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
.note{margin:0 0 24px;color:var(--soft);font-size:14px}
table{width:100%;border-collapse:collapse;margin-bottom:24px}
th,td{padding:12px 0;border-top:1px solid var(--line);font-weight:400;text-align:left}
td{text-align:right;font-variant-numeric:tabular-nums}
.total th,.total td{font-weight:600}
button{display:block;width:100%;min-height:48px;margin-top:12px;border:1px solid var(--edge);border-radius:7px;background:transparent;color:inherit;font:inherit;font-weight:550;cursor:pointer}
.pay{background:var(--ink);border-color:var(--ink);color:var(--wall)}
button:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
button:disabled{opacity:.6;cursor:default}
#status{min-height:26px;margin:16px 0 0;color:var(--soft)}
`;

/** Sends the decision and follows where it leads. A file of its own, because the page allows no inline script. */
export const SANDBOX_SCRIPT = `'use strict';
const form = document.getElementById('checkout');
const status = document.getElementById('status');
const buttons = [...form.querySelectorAll('button')];
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const action = event.submitter === null ? 'pay' : event.submitter.value;
  for (const button of buttons) button.disabled = true;
  status.textContent = 'Processing...';
  try {
    const response = await fetch('/api/v1/sandbox/checkout/' + form.dataset.token, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ action }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.detail);
    location.replace(answer.redirectTo);
  } catch (error) {
    status.textContent = error.message || 'Failed to process purchase';
    for (const button of buttons) button.disabled = false;
  }
});
`;
