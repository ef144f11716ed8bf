import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEFORE_STRANGERS, startTestApp, type TestApp } from './app.ts';

const ORIGIN = BEFORE_STRANGERS.PUBLIC_ORIGIN;
const read = async (app: TestApp, path: string) => {
  const answer = await fetch(app.url + path);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

describe('for search engines', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(BEFORE_STRANGERS);
  });
  afterAll(() => app.close());

  it('robots.txt opens the public pages, closes the rest and names the sitemap at the public origin', async () => {
    const { status, type, text } = await read(app, '/robots.txt');
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
    const lines = text.trim().split('\n');
    expect(lines.slice(0, 2)).toEqual(['User-agent: *', 'Allow: /']);
    for (const path of ['/dashboard', '/api/', '/auth/', '/sandbox/', '/success'])
      expect(lines).toContain(`Disallow: ${path}`);
    expect(lines.at(-1)).toBe(`Sitemap: ${ORIGIN}/sitemap.xml`);
  });

  it('the sitemap lists the public pages with absolute addresses, and none that robots.txt closes', async () => {
    const { status, type, text } = await read(app, '/sitemap.xml');
    expect([status, type]).toEqual([200, 'application/xml; charset=utf-8']);
    const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
    expect(addresses).toEqual(
      ['/', '/login', '/privacy', '/terms', '/developers', '/status', '/verify'].map((path) => ORIGIN + path),
    );
    const closed = [...(await read(app, '/robots.txt')).text.matchAll(/Disallow: (.*)/g)].map(
      (match) => match[1] ?? '',
    );
    for (const address of addresses)
      expect(closed.some((path) => new URL(address ?? '').pathname.startsWith(path))).toBe(false);
  });
});

it('on one machine without a public origin both name the address in use', async () => {
  const app = await startTestApp();
  try {
    const { port } = new URL(app.url);
    const answer = await fetch(`http://localhost:${port}/robots.txt`);
    expect(await answer.text()).toContain(`Sitemap: http://localhost:${port}/sitemap.xml`);
  } finally {
    await app.close();
  }
});
