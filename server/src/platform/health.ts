import type { FastifyInstance } from 'fastify';

export type HealthChecks = Record<'database' | 'storage' | 'queue', () => Promise<unknown>>;

const CHECK_MS = 1500;

export function addHealthRoutes(http: FastifyInstance, checks: HealthChecks): void {
  http.get('/healthz', async () => ({ status: 'ok' }));
  http.get('/readyz', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await isFine(check)) ? 'ok' : 'failed'] as const),
    );
    const isReady = results.every(([, result]) => result === 'ok');
    return reply
      .status(isReady ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status: isReady ? 'ready' : 'unready', checks: Object.fromEntries(results) });
  });
}

async function isFine(check: () => Promise<unknown>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_MS, false).unref());
  return Promise.race([
    check().then(
      () => true,
      () => false,
    ),
    late,
  ]);
}
