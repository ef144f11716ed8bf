import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's own server: hears messages and answers as its test says, path by path. */

export type Heard = { path: string; headers: IncomingHttpHeaders; body: string; at: number };
export type Receiver = {
  /** As `WEBHOOK_HOSTS` names it. */
  host: string;
  urlOf: (path: string) => string;
  /** Everything heard at a path, in its order. */
  heard: (path: string) => Heard[];
  /** From now on: a status, or whatever the test does with the answer. Unless told otherwise, 204. */
  answer: (path: string, how: number | ((response: ServerResponse) => void)) => void;
  close: () => Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const heard: Heard[] = [];
  const answers = new Map<string, number | ((response: ServerResponse) => void)>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      heard.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString(), at: performance.now() });
      const how = answers.get(path) ?? 204;
      if (typeof how === 'number') response.writeHead(how).end();
      else how(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    urlOf: (path) => `http://${host}${path}`,
    heard: (path) => heard.filter((one) => one.path === path),
    answer: (path, how) => void answers.set(path, how),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
