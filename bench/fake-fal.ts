import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** A provider with fal's API and instant or delayed jobs, so that only the product's own work is measured. */

type FakeFal = { settings: Record<string, string>; close: () => void };

/**
 * Listens on loopback. `settings` make a product use it. A job takes `seconds` and returns the PNG `result`, by default
 * a small one.
 */
export async function startFakeFal(seconds = 0, result?: Buffer): Promise<FakeFal> {
  const doneAt = new Map<string, number>();
  const small = sharp({ create: { width: 64, height: 48, channels: 4, background: '#20a060' } }).png();
  const picture = result ?? (await small.toBuffer());
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const json = (content: object) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    await buffer(request);
    if (path === '/file.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
    if (path === '/put') return void response.writeHead(200).end();
    if (path.endsWith('/initiate')) return json({ upload_url: `${url}/put`, file_url: `${url}/file.png` });
    const found = /\/requests\/([^/]+)(\/status)?$/.exec(path);
    if (found === null) {
      const id = randomUUID();
      doneAt.set(id, performance.now() + seconds * 1000);
      return json({ status: 'IN_QUEUE', request_id: id, queue_position: 0 });
    }
    const isDone = performance.now() >= (doneAt.get(found[1] ?? '') ?? 0);
    const status = isDone ? 'COMPLETED' : 'IN_PROGRESS';
    if (found[2] !== undefined) return json({ status, request_id: found[1], logs: [] });
    json({ image: { url: `${url}/file.png` } });
  };
  return {
    settings: { FAL_KEY: 'x', FAL_QUEUE_URL: url, FAL_REST_URL: url, FAL_RUN_URL: url, RESULT_HOSTS: host },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
