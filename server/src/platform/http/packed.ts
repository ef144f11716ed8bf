import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What is the same for many is made ready once, in each coding, with all that stands above it: an answer costs a
 * choice.
 */
export type Packed = { plain: Coded; gzip?: Coded | undefined; brotli?: Coded | undefined };
type Coded = { content: Buffer; tag: string; headers: Record<string, string> };
export type Codings = { plain: Buffer; gzip?: Buffer | undefined; brotli?: Buffer | undefined };

/** `headers` are sent with each coding, beside its name and its tag. */
export function pack({ plain, gzip, brotli }: Codings, headers: Record<string, string>): Packed {
  const code = (content: Buffer, coding?: string): Coded => {
    const tag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    return { content, tag, headers: { ...headers, etag: tag, ...(coding && { 'content-encoding': coding }) } };
  };
  return { plain: code(plain), gzip: gzip && code(gzip, 'gzip'), brotli: brotli && code(brotli, 'br') };
}

/** Sends what the browser can read, or that it has this already. */
export function sendPacked(
  { plain, gzip, brotli }: Packed,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const coded = brotli && TAKES.brotli.test(accepted) ? brotli : gzip && TAKES.gzip.test(accepted) ? gzip : plain;
  reply.headers(coded.headers);
  const known = request.headers['if-none-match'];
  if (known !== undefined && reply.statusCode === 200 && hasTag(known, coded.tag)) return reply.status(304).send();
  return reply.send(coded.content);
}

function hasTag(list: string, tag: string): boolean {
  return list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);
}

/** Whether an Accept-Encoding header names this coding and does not refuse it with a weight of zero. */
const TAKES = { brotli: takes('br'), gzip: takes('gzip') };

function takes(coding: string): RegExp {
  return new RegExp(`(^|,)\\s*${coding}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))[^,]*)?\\s*(,|$)`, 'i');
}
