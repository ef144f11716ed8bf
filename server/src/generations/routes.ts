import { generationStatuses, type GenerationStatus, type ToolEntry } from '@plinth/contract/generations';
import { describeFields, findTool, isToolId, type Tool, type ToolId, toolIds, tools } from '@plinth/contract/tools';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormOptions, type PictureForm, readPictureForm } from '../media/library.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { onlySignedIn, parseNoBody, requireUser } from '../platform/http.ts';
import {
  findAnswer,
  hashPayload,
  isKeyUsed,
  onlyWithIdempotencyKey,
  readIdempotencyKey,
  sendAnswer,
} from '../platform/idempotency.ts';
import type { RequestLimits } from '../platform/limits.ts';
import { readPage } from '../platform/paging.ts';
import type { Provider } from '../providers/mappings.ts';
import { acceptGeneration, type AcceptOptions, cancelGeneration, refuseTooMany } from './accept.ts';
import { checkForm } from './check-form.ts';
import { getGeneration, listGenerations } from './generation-view.ts';
import type { HeadshotModels } from './headshot-models.ts';

export type GenerationOptions = AcceptOptions &
  FormOptions & {
    limits: RequestLimits;
    providerOf: (tool: ToolId) => Provider;
    headshotModels: HeadshotModels;
  };

type OfTool = { Params: { tool: string } };
type WithId = { Params: { id: string } };

export function addGenerationRoutes(http: FastifyInstance, options: GenerationOptions): void {
  const { db, clock } = options;
  http.get('/api/v1/tools', { config: { isForAll: true } }, async () => ({
    items: toolIds.map((id) => describeTool(id, tools[id], options.providerOf(id).servedBy)),
  }));

  const onlyKnownTool = async (request: FastifyRequest) => void getToolOf(request);
  const countRequest = async (request: FastifyRequest) => {
    const { userId } = requireUser(request);
    await options.limits.count('generation', userId);
    const key = request.headers['idempotency-key'];
    const isRepeated = typeof key === 'string' && (await isKeyUsed(db, userId, routeOf(request), key));
    if (!isRepeated) await refuseTooMany(db, userId, options.mostInFlight);
  };
  const guards = [onlySignedIn, onlyKnownTool, countRequest, onlyWithIdempotencyKey];
  http.post<OfTool>(
    '/api/v1/tools/:tool/generations',
    { onRequest: guards, config: { form: true } },
    (request, reply) => create(request, reply, options),
  );

  const guard = { onRequest: onlySignedIn };
  http.get('/api/v1/generations', guard, async (request) => {
    const page = readPage(request.query, ['status', 'tool']);
    return listGenerations(db, requireUser(request).userId, readFilter(request.query), page);
  });
  http.get<WithId>('/api/v1/generations/:id', guard, async (request) =>
    getGeneration(db, requireUser(request).userId, request.params.id),
  );
  const onlyOwn = async (request: FastifyRequest) =>
    void (await getGeneration(db, requireUser(request).userId, (request.params as WithId['Params']).id));
  http.post<WithId>(
    '/api/v1/generations/:id/cancel',
    { onRequest: [onlySignedIn, onlyOwn] },
    async (request, reply) => {
      const { userId } = requireUser(request);
      parseNoBody(request.body);
      const outcome = await cancelGeneration(db, clock, userId, request.params.id);
      reply.status(outcome === 'canceled' ? 200 : 202);
      return getGeneration(db, userId, request.params.id);
    },
  );
}

function describeTool(id: ToolId, tool: Tool, servedBy: Provider['servedBy']): ToolEntry {
  const { name, cost, mediaType } = tool;
  return { id, name, cost, mediaType, servedBy, fields: describeFields(tool) as ToolEntry['fields'] };
}

const routeOf = (request: FastifyRequest) => `tools/${(request.params as { tool: string }).tool}/generations`;

function getToolOf(request: FastifyRequest): Tool {
  const tool = findTool((request.params as { tool: string }).tool);
  if (tool === undefined) throw new AppError('not_found');
  return tool;
}

async function create(request: FastifyRequest, reply: FastifyReply, options: GenerationOptions): Promise<FastifyReply> {
  const tool = getToolOf(request);
  const { userId } = requireUser(request);
  const form = await readPictureForm(request, options);
  try {
    const route = routeOf(request);
    const idempotent = { userId, route, key: readIdempotencyKey(request), payloadHash: hashForm(form) };
    const earlier = await findAnswer(options.db, idempotent);
    if (earlier !== undefined) return sendAnswer(reply, earlier, true);
    const { texts, pictures } = await checkForm(tool, form, options.headshotModels);
    const toolId = (request.params as { tool: string }).tool;
    const { answer, isReplay } = await acceptGeneration(options, { request: idempotent, toolId, pictures, texts });
    return sendAnswer(reply, answer, isReplay);
  } finally {
    await form.discard();
  }
}

function hashForm(form: PictureForm): Buffer {
  const texts = [...form.texts].map(([name, text]) => [`text ${name}`, text] as [string, string]);
  const files = [...form.files].map(([name, file]) => [`file ${name}`, file.sha256] as [string, string]);
  return hashPayload([...texts, ...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readFilter(query: unknown): { status: GenerationStatus | null; tool: ToolId | null } {
  const { status, tool } = query as Record<string, unknown>;
  const known = generationStatuses.find((one) => one === status);
  if (status !== undefined && known === undefined) throw fieldError('status', 'invalid_option');
  if (tool !== undefined && (typeof tool !== 'string' || !isToolId(tool))) throw fieldError('tool', 'invalid_option');
  return { status: known ?? null, tool: tool ?? null };
}
