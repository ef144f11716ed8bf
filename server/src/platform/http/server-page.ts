/** The product's logo, inline for server-rendered pages. */
const MARK = `<svg width="22" height="24" viewBox="0 0 24 26" aria-hidden="true"><circle cx="12.5" cy="8.5" r="8.5" fill="#12905b"/><path fill="currentColor" d="M4 8.5h6.5V26H4z"/></svg>`;

/** Stable address of the product's font; `pages.ts` redirects it to the built file. */
export const FONT_PATH = '/own-page-font.woff2';

type ServerPage = { title: string; mark: string; content: string; style?: string; script?: string };

/** Renders a page in the product's type and colours, with its style inline. */
export function renderServerPage({ title, mark, content, style = '', script }: ServerPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}${style}</style>
</head>
<body>
<main>
<p class="mark">${MARK} ${mark}</p>
${content}
</main>
${script === undefined ? '' : `<script src="${script}"></script>`}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes a text for HTML and XML, for content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

const STYLE = `
@font-face{font-family:Plinth;src:url(${FONT_PATH}) format('woff2');font-weight:400 700;font-stretch:75% 100%;font-display:swap}
:root{color-scheme:light dark;--wall:#f1f1ef;--sheet:#fff;--ink:#171918;--soft:#4f524f;--line:#d9d9d5;--edge:#80827d;--bad:#a3231b}
@media (prefers-color-scheme:dark){:root{--wall:#131514;--sheet:#1b1e1c;--ink:#f1f2ef;--soft:#b9bdb8;--line:#2e322f;--edge:#747a75;--bad:#ff9a90}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:20px;background:var(--wall);color:var(--ink);font:16px/1.6 Plinth,system-ui,Arial,sans-serif;-webkit-font-smoothing:antialiased}
main{width:100%;max-width:440px;padding:32px;background:var(--sheet);border:1px solid var(--line);border-radius:12px;overflow-wrap:anywhere}
.mark{display:flex;align-items:center;gap:10px;margin:0 0 20px;color:var(--soft);font-size:14px}
.mark svg{color:var(--ink)}
h1{margin:4px 0 8px;font-size:32px;line-height:1.15;font-weight:550;letter-spacing:-.02em}
.note{margin:0 0 24px;color:var(--soft);font-size:14px}
table{width:100%;border-collapse:collapse;margin-bottom:24px}
th,td{padding:12px 0;border-top:1px solid var(--line);font-weight:400;text-align:left}
td{text-align:right;font-variant-numeric:tabular-nums}
.total th,.total td{font-weight:650}
button{display:block;width:100%;min-height:48px;margin-top:12px;border:1px solid var(--edge);border-radius:7px;background:transparent;color:inherit;font:inherit;font-weight:550;cursor:pointer;overflow-wrap:anywhere}
button:disabled{opacity:.6;cursor:default}
.go{background:var(--ink);border-color:var(--ink);color:var(--wall)}
a{color:inherit;text-underline-offset:3px}
button:focus-visible,input:focus-visible,a:focus-visible{outline:2px solid var(--ink);outline-offset:2px}
`;
