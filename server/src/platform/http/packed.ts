import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A text compressed once per content coding, with its headers. */
export type Packed = Record<'plain' | 'gzip' | 'brotli', Coded>;
type Coded = { content: Buffer; tag: string; headers: Record<string, string> };

/** Compresses a text. `headers` are sent with each coding, beside its name and ETag. */
export function pack(text: string, headers: Record<string, string>): Packed {
  const plain = Buffer.from(text);
  // Maximum quality, once per page: even the largest fits into the initial 14.6 KB window of a new connection.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength };
  const code = (content: Buffer, coding?: string): Coded => {
    const tag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
    return { content, tag, headers: { ...headers, etag: tag, ...(coding && { 'content-encoding': coding }) } };
  };
  return {
    plain: code(plain),
    gzip: code(gzipSync(plain, { level: 9 }), 'gzip'),
    brotli: code(brotliCompressSync(plain, { params }), 'br'),
  };
}

/** Sends a coding that the browser accepts, or 304. */
export function sendPacked(
  { plain, gzip, brotli }: Packed,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const wishes = readWishes(String(request.headers['accept-encoding'] ?? ''));
  const takes = (coding: string) => wishes.some(({ name, weight }) => name === coding && weight > 0);
  const coded = takes('br') ? brotli : takes('gzip') ? gzip : plain;
  reply.headers(coded.headers);
  if (reply.statusCode === 200 && hasVersion(request, coded.tag)) return reply.status(304).send();
  return reply.send(coded.content);
}

/** True if If-None-Match has this tag, or `*` (RFC 9110, 13.1.2: weak comparison). */
export function hasVersion({ headers }: FastifyRequest, etag: string): boolean {
  const named = headers['if-none-match'];
  return named?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}

/** The values of an Accept header (RFC 9110, 12.4.2) in lower case and order, without those of weight 0. */
export function readWishes(header: string | undefined): { name: string; weight: number }[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((wish) => {
      const [name = '', ...parameters] = wish.split(';').map((part) => part.trim());
      const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { name, weight: weight >= 0 && weight <= 1 ? weight : 0 };
    });
}
