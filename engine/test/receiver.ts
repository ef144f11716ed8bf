import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An address that webhooks are sent to: keeps what came and answers what the test says. */

export type Delivery = {
  headers: IncomingHttpHeaders;
  raw: string;
  body: Record<string, unknown>;
};

export type Receiver = {
  url: string;
  deliveries: Delivery[];
  close: () => Promise<void>;
};

/** `answer` gives the status for the n-th delivery (from 0), or nothing to leave it without an answer. */
export async function startReceiver(answer: (n: number) => number | undefined = () => 200): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let raw = '';
    request.on('data', (chunk: Buffer) => (raw += chunk.toString()));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, raw, body: JSON.parse(raw) as Record<string, unknown> });
      const status = answer(deliveries.length - 1);
      if (status === undefined) return;
      response.writeHead(status, status === 302 ? { location: `http://${request.headers.host}/elsewhere` } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    deliveries,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Checks a delivery as a receiver of fal's webhooks does, with the sender's key set. */
export function isSigned({ headers, raw }: Delivery, keys: JsonWebKey[]): boolean {
  const text = (name: string) => String(headers[`x-fal-webhook-${name}`]);
  const digest = createHash('sha256').update(raw).digest('hex');
  const message = [text('request-id'), text('user-id'), text('timestamp'), digest].join('\n');
  if (Math.abs(Date.now() / 1000 - Number(text('timestamp'))) > 300) return false;
  return keys.some((jwk) =>
    verify(
      null,
      Buffer.from(message),
      createPublicKey({ key: jwk, format: 'jwk' }),
      Buffer.from(text('signature'), 'hex'),
    ),
  );
}
