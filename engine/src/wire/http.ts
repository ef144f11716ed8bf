import { createWriteStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The body was longer than the route takes. */
export class TooLong extends Error {}

export function send(response: ServerResponse, answer: Answer): void {
  const bytes = Buffer.from(answer.body === undefined ? '' : JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...answer.headers,
  });
  response.end(bytes);
}

export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  return JSON.parse((await readBytes(request, maxBytes)).toString('utf8'));
}

export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function saveBody(request: IncomingMessage, path: string, maxBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new TooLong();
  let length = 0;
  const count = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > maxBytes) throw new TooLong();
      yield chunk;
    }
  };
  await pipeline(request, count, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
}

export function getHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Where this caller reached us; a restarted engine may have another port than the one that stored the file. */
export function findOrigin(request: IncomingMessage): string {
  return `http://${request.headers.host ?? '127.0.0.1'}`;
}
