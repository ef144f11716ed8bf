import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Numbers for the operator. No e-mail, prompt or id ever becomes a label. */
export type Metrics = ReturnType<typeof makeMetrics>;
export type Gauges = ReturnType<typeof makeGauges>;

/** What each process knows of itself, and the gauges of the whole installation. */
export function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Brings process_resident_memory_bytes and nodejs_eventloop_lag_p99_seconds, among others.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    gauges: makeGauges(),
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

function makeGauges() {
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    registry,
    generations: gauge('generations', 'Generations by status', ['status']),
    queueDepth: gauge('queue_depth', 'Generations that wait'),
    queueOldest: gauge('queue_oldest_seconds', 'Wait of the oldest waiting generation'),
    returns: gauge('returns', 'Results given back as not usable, ever', ['tool', 'reason']),
    reviews: gauge('payments_in_review', 'Payments that a person has to look at'),
    ledgerSum: gauge('credits_ledger_sum', 'Sum of all ledger entries'),
    balanceSum: gauge('credits_balance_sum', 'Sum of all balances'),
    ledgerViolations: gauge('ledger_violations', 'Broken rules of the ledger, found by the walk; must be 0'),
    ledgerLastWalk: gauge('ledger_last_walk_timestamp_seconds', 'When the last walk through the whole ledger ended'),
    storageObjects: gauge('storage_objects', 'Files kept', ['kind']),
    storageBytes: gauge('storage_bytes', 'Bytes kept', ['kind']),
    storageOrphans: gauge('storage_orphans', 'Files without a row, found by the last sweep'),
    retentionLastSuccess: gauge('retention_last_success_timestamp_seconds', 'When the last sweep ended well'),
    retentionOldest: gauge('retention_oldest_object_seconds', 'Age of the oldest kept file'),
  };
}

/** Counts every answer of the server under its route's pattern. */
export function measureHttp(http: FastifyInstance, metrics: Metrics): void {
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.httpRequests.inc({ route, method: request.method, status: reply.statusCode });
    metrics.httpSeconds.observe({ route, method: request.method }, reply.elapsedTime / 1000);
    done();
  });
}

/** Less than the ten seconds after which Prometheus gives up. */
const COLLECT_MS = 5000;

/** Serves `GET /metrics` at its own address, without gauges of the installation where `collect` fails or is late. */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
  collect: () => Promise<boolean>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    const { registry, gauges } = metrics;
    const write = async (withGauges: boolean) =>
      (await registry.metrics()) + (withGauges ? `\n${await gauges.registry.metrics()}` : '');
    void Promise.race([collect(), sleep(COLLECT_MS, false, { ref: false })])
      .catch(() => false)
      .then(write)
      .then((text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
