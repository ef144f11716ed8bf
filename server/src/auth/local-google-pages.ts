/** The pages of the local identity provider: accessible, and without scripts. */

import { escapeHtml, renderServerPage } from '../platform/http/server-page.ts';

/** First page: choose an address that was used before, or enter one. */
export function renderAccountPage(page: { emails: string[]; typed: string; problem: string | null }): string {
  const { emails, problem } = page;
  const items = emails.map((email) => {
    const safe = escapeHtml(email);
    return `<li><button type="submit" name="email" value="${safe}">${safe}</button></li>`;
  });
  const list = `<form method="post"><input type="hidden" name="step" value="login">
<ul aria-label="Addresses used on this machine">${items.join('')}</ul></form>`;
  const message = problem === null ? '' : `<p class="problem" id="problem" role="alert">${escapeHtml(problem)}</p>`;
  const invalid = problem === null ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus';
  return renderPage(
    emails.length > 0 ? 'Choose an account' : 'Sign in',
    `${NOTE}
${emails.length > 0 ? list : ''}
<form method="post">
<input type="hidden" name="step" value="login">
<label for="email">${emails.length > 0 ? 'Another email address' : 'Email address'}</label>
<input id="email" name="email" type="email" maxlength="254" required autocomplete="email" value="${escapeHtml(page.typed)}"${invalid}>
${message}
<button type="submit" class="go">Continue</button>
</form>
<form method="post"><input type="hidden" name="step" value="cancel"><button type="submit">Cancel</button></form>`,
  );
}

/** Second page: consent to share the identity with the product. */
export function renderConsentPage(email: string): string {
  const safe = escapeHtml(email);
  return renderPage(
    'Continue to Plinth',
    `${NOTE}
<p>You are signing in as <strong>${safe}</strong>.</p>
<p>Plinth receives this email address and nothing else.</p>
<form method="post"><input type="hidden" name="step" value="consent"><button type="submit" class="go">Continue</button></form>
<form method="post"><input type="hidden" name="step" value="cancel"><button type="submit">Cancel</button></form>`,
  );
}

/** For a page that was left open too long, and for unknown addresses. */
export function renderEndPage(): string {
  return renderPage(
    'This sign-in has ended',
    `<p>It was used already or took too long. Go back to Plinth and sign in again.</p>
<p><a href="/login">Back to Plinth</a></p>`,
  );
}

const NOTE = `<p class="note">This page stands in for Google. It runs on this machine only, asks for no password and sends nothing to anyone.</p>`;

function renderPage(title: string, content: string): string {
  const mark = 'Local sign-in on this machine';
  return renderServerPage({
    title: `${title} · Local sign-in`,
    mark,
    content: `<h1>${title}</h1>\n${content}`,
    style: STYLE,
  });
}

const STYLE = `
p{margin:0 0 12px}
ul{list-style:none;margin:0 0 24px;padding:0 0 24px;border-bottom:1px solid var(--line)}
li button{text-align:left;padding-inline:14px}
label{display:block;margin-bottom:6px;font-size:14px}
input[type=email]{display:block;width:100%;min-height:48px;padding:0 14px;border:1px solid var(--edge);border-radius:7px;background:transparent;color:inherit;font:inherit}
.problem{margin:8px 0 0;color:var(--bad)}
`;
