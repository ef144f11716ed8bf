import type { Problem } from '@plinth/contract/openapi';
import { fileTypeFromBuffer } from 'file-type';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { newToken } from '../platform/ids.ts';

/** The API's answer: JSON, or bytes of another type. */
type ApiResponse = { body: unknown; bytes: Buffer; contentType: string; filename: string | undefined };

/** Calls our own API on behalf of the agent: with its key, through every check. */
export type CallApi = (method: 'GET' | 'POST', path: string, form?: FormData) => Promise<ApiResponse>;

/** An error of the API; the message is its sentence. */
export class ApiError extends Error {}

/** Makes a client on behalf of this request's sender. */
export function makeApiClient(http: FastifyInstance, { headers }: FastifyRequest): CallApi {
  return async (method, path, form) => {
    const payload = form === undefined ? undefined : new Response(form);
    const answer = await http.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        host: headers.host,
        authorization: headers.authorization,
        'idempotency-key': newToken(),
        ...(payload && { 'content-type': payload.headers.get('content-type') ?? '' }),
      },
      ...(payload && { payload: Buffer.from(await payload.arrayBuffer()) }),
    });
    const contentType = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (answer.statusCode >= 400) throw new ApiError(answer.json<Problem>().detail);
    return {
      body: contentType === 'application/json' ? answer.json<unknown>() : null,
      bytes: answer.rawPayload,
      contentType,
      filename: /filename="([^"]*)"/.exec(String(answer.headers['content-disposition'] ?? ''))?.[1],
    };
  };
}

/** Builds a form of texts and base64 pictures, with or without a data URL's prefix. */
export async function toForm(texts: Record<string, string | undefined>, image: string | undefined): Promise<FormData> {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) form.set(name, text);
  if (image === undefined) return form;
  const bytes = Buffer.from(image.replace(/^data:[^,]*,/, ''), 'base64');
  // Unknown bytes are sent as a picture, so that the API rejects them as one.
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? 'image/png';
  form.set('image', new Blob([bytes], { type }), 'image');
  return form;
}
