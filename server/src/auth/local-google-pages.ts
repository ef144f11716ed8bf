/** The pages of the local identity provider. They work with the keyboard, a screen reader and without scripts. */

import { MARK } from '../platform/http/mark.ts';

const MAX_LISTED = 8;

/** First page: choose an address that was used here before, or type one. */
export function renderAccountPage(page: { emails: string[]; typed: string; problem: string | null }): string {
  const { emails, problem } = page;
  const listed = emails.slice(0, MAX_LISTED).map((email) => {
    const safe = escapeHtml(email);
    return `<li><button type="submit" name="email" value="${safe}">${safe}</button></li>`;
  });
  const list = `<form method="post"><input type="hidden" name="step" value="login">
<ul aria-label="Addresses used on this machine">${listed.join('')}</ul></form>`;
  const complaint = problem === null ? '' : `<p class="problem" id="problem" role="alert">${escapeHtml(problem)}</p>`;
  const invalid = problem === null ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus';
  return renderPage(
    emails.length > 0 ? 'Choose an account' : 'Sign in',
    `${NOTE}
${emails.length > 0 ? list : ''}
<form method="post">
<input type="hidden" name="step" value="login">
<label for="email">${emails.length > 0 ? 'Another email address' : 'Email address'}</label>
<input id="email" name="email" type="email" maxlength="254" required autocomplete="email" value="${escapeHtml(page.typed)}"${invalid}>
${complaint}
<button type="submit" class="go">Continue</button>
</form>
<form method="post"><input type="hidden" name="step" value="cancel"><button type="submit">Cancel</button></form>`,
  );
}

/** Second page: say yes to telling the product who one is. */
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

/** Where a page was left open too long, or an address was opened that leads nowhere. */
export function renderEndPage(): string {
  return renderPage(
    'This sign-in has ended',
    `<p>It was used already or took too long. Go back to Plinth and sign in again.</p>
<p><a href="/login">Back to Plinth</a></p>`,
  );
}

const NOTE = `<p class="note">This page stands in for Google. It runs on this machine only, asks for no password and sends nothing to anyone.</p>`;

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Local sign-in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="mark">${MARK} Local sign-in on this machine</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root{color-scheme:light dark;--wall:#f1f1ef;--sheet:#fff;--ink:#171918;--soft:#4f524f;--line:#d9d9d5;--edge:#80827d;--bad:#a3231b}
@media (prefers-color-scheme:dark){:root{--wall:#131514;--sheet:#1b1e1c;--ink:#f1f2ef;--soft:#b9bdb8;--line:#2e322f;--edge:#747a75;--bad:#ff9a90}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;background:var(--wall);color:var(--ink);font:16px/1.6 system-ui,Arial,sans-serif}
main{width:100%;max-width:440px;padding:32px;background:var(--sheet);border:1px solid var(--line);border-radius:12px;overflow-wrap:anywhere}
.mark{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px}
.mark svg{color:var(--ink)}
h1{margin:4px 0 8px;font-size:32px;line-height:1.15;font-weight:500;letter-spacing:-.02em}
.note{margin:0 0 24px;color:var(--soft);font-size:14px}
p{margin:0 0 12px}
a{color:inherit}
ul{list-style:none;margin:0 0 24px;padding:0 0 24px;border-bottom:1px solid var(--line)}
li button{text-align:left;padding-inline:14px}
label{display:block;margin-bottom:6px;font-size:14px}
input[type=email]{display:block;width:100%;min-height:48px;padding:0 14px;border:1px solid var(--edge);border-radius:7px;background:transparent;color:inherit;font:inherit}
.problem{margin:8px 0 0;color:var(--bad)}
button{display:block;width:100%;min-height:48px;margin-top:12px;border:1px solid var(--edge);border-radius:7px;background:transparent;color:inherit;font:inherit;font-weight:550;cursor:pointer;overflow-wrap:anywhere}
.go{background:var(--ink);border-color:var(--ink);color:var(--wall)}
button:focus-visible,input:focus-visible,a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
`;
