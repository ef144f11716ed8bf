import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A text compressed once per content coding, with its headers. */
export type Compressed = Record<'plain' | 'gzip' | 'brotli', Encoded>;
type Encoded = { content: Buffer; tag: string; headers: Record<string, string> };

/** Compresses a text. `headers` are sent with each coding, beside its name and ETag. */
export function compress(text: string, headers: Record<string, string>): Compressed {
  const plain = Buffer.from(text);
  // Maximum quality, once per page: even the largest fits into the initial 14.6 KB window of a new connection.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength };
  const encode = (content: Buffer, coding?: string): Encoded => {
    const tag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
    return { content, tag, headers: { ...headers, etag: tag, ...(coding && { 'content-encoding': coding }) } };
  };
  return {
    plain: encode(plain),
    gzip: encode(gzipSync(plain, { level: 9 }), 'gzip'),
    brotli: encode(brotliCompressSync(plain, { params }), 'br'),
  };
}

/** Sends a coding that the browser accepts, or 304. */
export function sendCompressed(
  { plain, gzip, brotli }: Compressed,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  // One by one, because a browser that lists both without weights states no preference.
  const encoded = request.encoding('br') ? brotli : request.encoding('gzip') ? gzip : plain;
  reply.headers(encoded.headers);
  if (reply.statusCode === 200 && matchesEtag(request, encoded.tag)) return reply.status(304).send();
  return reply.send(encoded.content);
}

/** True if If-None-Match has this tag, or `*` (RFC 9110, 13.1.2: weak comparison). */
export function matchesEtag({ headers }: FastifyRequest, etag: string): boolean {
  const header = headers['if-none-match'];
  return header?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}
