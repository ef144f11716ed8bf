import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file prepared once in each coding, with its headers. */
export type Packed = Record<'plain' | 'gzip' | 'brotli', Coded>;
type Coded = { content: Buffer; tag: string; headers: Record<string, string> };

/** `headers` are sent with each coding, beside its name and its tag. */
export function pack({ plain, gzip, brotli }: Record<keyof Packed, Buffer>, headers: Record<string, string>): Packed {
  const code = (content: Buffer, coding?: string): Coded => {
    const tag = `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
    return { content, tag, headers: { ...headers, etag: tag, ...(coding && { 'content-encoding': coding }) } };
  };
  return { plain: code(plain), gzip: code(gzip, 'gzip'), brotli: code(brotli, 'br') };
}

/** Sends what the browser can read, or that it has this already. */
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

/** Whether the caller names the version that he has, or any (RFC 9110, 13.1.2: compared weakly). */
export function hasVersion({ headers }: FastifyRequest, etag: string): boolean {
  const named = headers['if-none-match'];
  return named?.split(',').some((one) => ['*', etag].includes(one.trim().replace(/^W\//, ''))) === true;
}

/** What a header of wishes (RFC 9110, 12.4.2) names, in small letters and its order; a weight of 0 refuses it. */
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
