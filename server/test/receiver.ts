import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NewWebhookEndpoint, WebhookDelivery, WebhookEvent } from '@plinth/contract/webhooks';
import type { TestApp } from './app.ts';
import { makeEndpoint, makeUser, type TestUser, waitUntil } from './makers.ts';

/** A customer's own server: records messages and responds as its test says, by path. */

export type ReceivedWebhook = { path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Receiver = {
  /** Its entry in `WEBHOOK_HOSTS`. */
  host: string;
  urlOf: (path: string) => string;
  /** All messages received at a path, in order. */
  received: (path: string) => ReceivedWebhook[];
  /** The same, once there are this many. */
  hear: (path: string, count: number, timeoutMs?: number) => Promise<ReceivedWebhook[]>;
  /** From now on responds with a status or a function; 204 by default. */
  answer: (path: string, how: number | ((response: ServerResponse) => void)) => void;
  close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  const answers = new Map<string, number | ((response: ServerResponse) => void)>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      const how = answers.get(path) ?? 204;
      if (typeof how === 'number') response.writeHead(how).end();
      else how(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const receivedAt = (path: string) => received.filter((one) => one.path === path);
  return {
    host,
    urlOf: (path) => `http://${host}${path}`,
    received: receivedAt,
    hear: (path, count, timeoutMs = 5000) =>
      waitUntil(
        async () => receivedAt(path),
        (all) => all.length >= count,
        timeoutMs,
      ),
    answer: (path, how) => void answers.set(path, how),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let paths = 0;
export const newPath = (): string => `/hook/${(paths += 1)}`;

export type Receiving = { user: TestUser; path: string; endpoint: NewWebhookEndpoint };

/** Makes a user with one endpoint at a path of its own. */
export async function makeReceiving(
  app: TestApp,
  receiver: Receiver,
  options: { credits?: number; events?: readonly WebhookEvent[] } = {},
): Promise<Receiving> {
  const user = await makeUser(app, { credits: options.credits ?? 0 });
  const path = newPath();
  return { user, path, endpoint: await makeEndpoint(user, receiver.urlOf(path), options.events) };
}

export const requestTest = (user: TestUser, id: string, headers: Record<string, string> = {}): Promise<Response> =>
  user.fetch(`/api/v1/webhook-endpoints/${id}/test`, { method: 'POST', headers });

export async function listDeliveries(user: TestUser, id: string): Promise<WebhookDelivery[]> {
  return (await user.get<{ items: WebhookDelivery[] }>(`/api/v1/webhook-endpoints/${id}/deliveries`)).items;
}

export const headerOf = ({ headers }: ReceivedWebhook, name: string): string => String(headers[name]);
