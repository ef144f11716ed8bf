import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics for the operator. No e-mail, prompt or id ever becomes a label. */
export type Metrics = ReturnType<typeof makeMetrics>;

/** Metrics of this process. */
export function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Includes process_resident_memory_bytes and nodejs_eventloop_lag_p99_seconds.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    httpRequests: counter('http_requests_total', 'Answered requests', ['route', 'method', 'status']),
    httpSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to answer',
      labelNames: ['route', 'method'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    sseClients: new Gauge({ name: 'sse_clients', help: 'Open event streams', registers }),
    providerRequests: counter('provider_requests_total', 'Requests to providers', ['provider', 'operation', 'outcome']),
    webhooks: counter('webhooks_total', 'Payment webhooks', ['sender', 'outcome']),
    webhookDeliveries: counter('webhook_deliveries_total', 'Tries to deliver a message to a customer', ['outcome']),
  };
}

/** Counts every response by its route's pattern. */
export function measureHttp(http: FastifyInstance, metrics: Metrics): void {
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.httpRequests.inc({ route, method: request.method, status: reply.statusCode });
    metrics.httpSeconds.observe({ route, method: request.method }, reply.elapsedTime / 1000);
    done();
  });
}

/** Less than Prometheus' timeout of ten seconds. */
const COLLECT_MS = 5000;

/** Adds `GET /metrics`; the installation's gauges (`collect`) are left out if they fail or take too long. */
export function addMetrics(http: FastifyInstance, { registry }: Metrics, collect: () => Promise<string>): void {
  http.get('/metrics', async (_request, reply) => {
    const collected = await Promise.race([collect(), sleep(COLLECT_MS, '', { ref: false })]).catch(() => '');
    return reply.type(registry.contentType).send(`${await registry.metrics()}\n${collected}`);
  });
}
