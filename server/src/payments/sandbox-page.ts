import { packages } from '@plinth/contract/payments';
import { renderServerPage } from '../platform/http/server-page.ts';
import type { SandboxOrder } from './sandbox.ts';

/** The accessible page of the sandbox checkout: order, Pay, Decline, Cancel. */
export function renderSandboxPage(order: SandboxOrder, token: string): string {
  const price = (order.priceCents / 100).toLocaleString('en-US', { style: 'currency', currency: order.currency });
  const { name } = packages[order.packageName];
  const content = `<h1>${price}</h1>
<p class="note">This page stands in for a card payment provider. No money moves and no card is asked for.</p>
<table>
<tr><th scope="row">${name} package</th><td>${order.credits} credits</td></tr>
<tr><th scope="row">Quantity</th><td>1</td></tr>
<tr class="total"><th scope="row">Total</th><td>${price}</td></tr>
</table>
<form id="checkout" data-token="${token}">
<button type="submit" name="action" value="pay" class="go" disabled>Pay ${price}</button>
<button type="submit" name="action" value="decline" disabled>Decline the card</button>
<button type="submit" name="action" value="cancel" disabled>Cancel and go back</button>
</form>
<p role="status" id="status">${order.status === 'paid' ? 'This order is already paid.' : ''}</p>
<noscript><p>Please switch on JavaScript to use the sandbox checkout.</p></noscript>`;
  const script = '/sandbox/checkout.js';
  return renderServerPage({ title: 'Sandbox checkout', mark: 'Sandbox checkout', content, style: STYLE, script });
}

const STYLE = `
h1{font-size:52px;line-height:1.05;letter-spacing:-.03em;font-variant-numeric:tabular-nums}
#status{margin:16px 0 0;color:var(--soft)}
#status:empty{margin:0}
`;

/** Sends the decision and follows its redirect. A separate file, because the page's policy forbids inline scripts. */
export const SANDBOX_SCRIPT = `'use strict';
const form = document.getElementById('checkout');
const status = document.getElementById('status');
const buttons = [...form.querySelectorAll('button')];
const allow = (isAllowed) => buttons.forEach((button) => (button.disabled = !isAllowed));
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const action = event.submitter === null ? 'pay' : event.submitter.value;
  allow(false);
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
    allow(true);
  }
});
// Not before: an earlier press would be lost.
allow(true);
`;
