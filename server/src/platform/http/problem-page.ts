import type { FastifyRequest } from 'fastify';
import { isApiUrl } from './caller.ts';
import { escapeHtml, renderServerPage } from './server-page.ts';

/** What browsers show themselves when a link leads there, of all that the API serves. */
const DOCUMENTS = new Set(['text/html', 'application/pdf']);

/** True if a person waits for a page: a browser opens a link, and programs do not read this address. */
export function opensInBrowser({ url, headers, routeOptions }: FastifyRequest): boolean {
  if (headers['sec-fetch-dest'] !== 'document') return false;
  const answers = Object.values(routeOptions.config?.operation?.answers ?? {});
  return !isApiUrl(url) || answers.some(({ bytes = [] }) => bytes.some((type) => DOCUMENTS.has(type)));
}

/** A refusal as a page, which leads back to the start page, or from a sign-in to the sign-in page. */
export const renderProblemPage = (detail: string, { id, url }: FastifyRequest): string =>
  renderServerPage({
    title: 'This did not work · Plinth',
    mark: 'Plinth',
    content: `<h1>This did not work</h1>
<p>${escapeHtml(detail)}</p>
<p class="note">Request ${id}</p>
<p><a href="${url.startsWith('/auth/') ? '/login' : '/'}">Back to Plinth</a></p>`,
  });
