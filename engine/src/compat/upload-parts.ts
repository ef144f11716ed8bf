import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Place } from '../work/files.ts';
import { getBody, saveBody, sendAnswer, type Answer } from '../wire/http.ts';
import { describeUpload, leaveBodies, MAX_WORDS_BYTES, withDraft, type PlacePath } from '../wire/uploads.ts';
import type { Wire } from '../wire/wire.ts';

/** Uploads in parts below `/uploads/<id>/<token>`: a PUT for each, then `complete` with the list of them. */

const MAX_PART_BYTES = 10_485_760; // the size of the client's parts (@fal-ai/client 1.10.1)
const MAX_PARTS = 50;
const partSchema = z.object({ partNumber: z.number(), etag: z.string() });
const listSchema = z.object({ parts: z.array(partSchema).min(1).max(MAX_PARTS) });

type PartPath = { Params: Place & { part: string } };

export async function addPartRoutes(http: FastifyInstance, wire: Wire): Promise<void> {
  http.post<PlacePath>('/uploads/:id/:token/complete', { bodyLimit: MAX_WORDS_BYTES }, async (request, reply) =>
    sendAnswer(reply, await completeUpload(wire, request)),
  );
  await http.register(async (scope) => {
    leaveBodies(scope);
    scope.put<PartPath>('/uploads/:id/:token/:part', async (request, reply) =>
      sendAnswer(reply, await receivePart(wire, request)),
    );
  });
}

async function receivePart(wire: Wire, request: FastifyRequest<PartPath>): Promise<Answer> {
  const { part, ...place } = request.params;
  const partNumber = /^[1-9]\d{0,3}$/.test(part) ? Number(part) : 0;
  if (partNumber < 1 || partNumber > MAX_PARTS) {
    return badRequest(`Part numbers go from 1 to ${MAX_PARTS}; larger files are not taken.`);
  }
  return withDraft(wire, async (draft) => {
    await saveBody(request, draft, MAX_PART_BYTES);
    const kept = await wire.files.addPart(place, partNumber, draft);
    // The client reads the tag from a JSON body, not from a header.
    return typeof kept === 'string' ? describeUpload(kept) : { status: 200, body: { partNumber, etag: kept.etag } };
  });
}

async function completeUpload(wire: Wire, request: FastifyRequest<PlacePath>): Promise<Answer> {
  const parts = listSchema.safeParse(getBody(request)).data?.parts;
  if (!parts) return badRequest('The body must be {"parts":[{"partNumber","etag"}, …]}.');
  return withDraft(wire, async (draft) => {
    const answer = await wire.files.completeUpload(request.params, parts, draft);
    return answer === 'mismatch'
      ? badRequest('The list of parts is not what was received, in order.')
      : describeUpload(answer);
  });
}

function badRequest(detail: string): Answer {
  return { status: 400, body: { detail, error_type: 'bad_request' } };
}
