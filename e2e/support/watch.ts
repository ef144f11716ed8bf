import type { BrowserContext } from '@playwright/test';

export type Watched = { add: (context: BrowserContext) => Promise<void>; problems: string[] };

// A visitor's session request gets a 401 by contract, and Chromium logs every 401.
const VISITOR = /status of 401 .* \/api\/v1\/(session|auth\/refresh)$/;

/** Collects console errors, blocked content and requests to other servers. */
export function watch(url: string): Watched {
  const { port } = new URL(url);
  const problems: string[] = [];
  const note = (problem: string) => VISITOR.test(problem) || problems.push(problem);
  const add = async (context: BrowserContext) => {
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP ${event.violatedDirective} blocked ${event.blockedURI}`),
      ),
    );
    context.on('console', (message) => {
      if (message.type() !== 'error') return;
      const { url: source } = message.location();
      note(`console: ${message.text()} ${URL.parse(source)?.pathname ?? source}`);
    });
    context.on('weberror', (failure) => note(`uncaught: ${String(failure.error())}`));
    context.on('request', (request) => {
      const asked = new URL(request.url());
      const isOwn = ['localhost', '127.0.0.1'].includes(asked.hostname) && asked.port === port;
      if (asked.protocol.startsWith('http') && !isOwn) note(`foreign request: ${request.url()}`);
    });
  };
  return { add, problems };
}

/**
 * Pauses endless animations, such as the sign of a running generation. Without a GPU, Chromium draws them 60 times a
 * second, which is two thirds of a waiting page's CPU time. Finite animations run.
 */
export async function stopEndless(context: BrowserContext): Promise<void> {
  await context.addInitScript(() =>
    document.addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof Element)) return;
      for (const animation of target.getAnimations({ subtree: true }))
        if (animation.effect?.getComputedTiming().iterations === Infinity) animation.pause();
    }),
  );
}
