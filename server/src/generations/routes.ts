import { type GenerationStatus, returnSchema, type ToolEntry, type ToolList } from '@plinth/contract/generations';
import { describeFields } from '@plinth/contract/tool-fields';
import { findTool, isToolId, type ToolId, toolIds, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormOptions, hashForm } from '../media/form.ts';
import { takeForm } from '../media/form-line.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { findUserId, onlySignedIn, requireUser } from '../platform/http/caller.ts';
import { parseBody, parseNoBody } from '../platform/http/http.ts';
import {
  hashBody,
  isRepeated,
  onlyWithIdempotencyKey,
  readIdempotent,
  sendOnce,
} from '../platform/http/idempotency.ts';
import type { RequestLimits } from '../platform/http/limits.ts';
import type { Line } from '../platform/line.ts';
import { readPage } from '../platform/http/paging.ts';
import type { Provider } from '../providers/provider.ts';
import { acceptGeneration, type AcceptOptions, refuseTooMany } from './accept.ts';
import { cancelGeneration } from './cancel.ts';
import { checkChange, checkForm } from './check-form.ts';
import { getGeneration, getOwnRow, getTool, listGenerations, readStatus } from './generation-view.ts';
import type { HeadshotModels } from './headshot-models.ts';
import { acceptRedo } from './redo.ts';
import { countReturnsLeft, returnGeneration, type ReturnOptions } from './returns.ts';

export type GenerationOptions = AcceptOptions &
  FormOptions &
  ReturnOptions & {
    limits: RequestLimits;
    formLine: Line;
    providerOf: (tool: ToolId) => Provider;
    headshotModels: HeadshotModels;
  };

type OfTool = { Params: { tool: string } };
type WithId = { Params: { id: string } };

export function addGenerationRoutes(http: FastifyInstance, options: GenerationOptions): void {
  const { db } = options;
  addToolList(http, options);
  const onlyKnownTool = async (request: FastifyRequest) => void getToolOf(request);
  const countRequest = async (request: FastifyRequest) => {
    const { userId, countsAs } = requireUser(request);
    await options.limits.count('generation', countsAs);
    await refuseTooMany(db, userId, options.mostInFlight).catch(async (refusal: unknown) => {
      // What was accepted before is answered again.
      if (!(await isRepeated(db, request))) throw refusal;
    });
  };
  const onlyWithRoom = async () => options.formLine.refuseJoining();
  const guards = [onlySignedIn, onlyKnownTool, onlyWithRoom, countRequest, onlyWithIdempotencyKey];
  http.post<OfTool>(
    '/api/v1/tools/:tool/generations',
    { onRequest: guards, config: { form: true } },
    (request, reply) => create(request, reply, options),
  );

  const guard = { onRequest: onlySignedIn };
  http.get('/api/v1/generations', guard, async (request) => {
    const page = readPage(request.query, ['status', 'tool']);
    return listGenerations(db, options, requireUser(request).userId, readFilter(request.query), page);
  });
  http.get<WithId>('/api/v1/generations/:id', guard, async (request) =>
    getGeneration(db, options, requireUser(request).userId, request.params.id),
  );
  const onlyOwn = async (request: FastifyRequest) =>
    void (await getOwnRow(db, requireUser(request).userId, (request.params as WithId['Params']).id));
  http.post<WithId>(
    '/api/v1/generations/:id/cancel',
    { onRequest: [onlySignedIn, onlyOwn] },
    async (request, reply) => {
      const { userId } = requireUser(request);
      parseNoBody(request.body);
      const outcome = await cancelGeneration(db, options, userId, request.params.id);
      reply.status(outcome === 'canceled' ? 200 : 202);
      return getGeneration(db, options, userId, request.params.id);
    },
  );
  http.post<WithId>(
    '/api/v1/generations/:id/redo',
    { onRequest: [onlySignedIn, onlyOwn, countRequest, onlyWithIdempotencyKey] },
    (request, reply) => redo(request, reply, options),
  );
  http.post<WithId>('/api/v1/generations/:id/return', { onRequest: [onlySignedIn, onlyOwn] }, async (request) => {
    const { userId } = requireUser(request);
    const { reason } = parseBody(returnSchema, request.body, 'invalid_option');
    await returnGeneration(options, { userId, generationId: request.params.id, reason });
    return getGeneration(db, options, userId, request.params.id);
  });
}

function addToolList(http: FastifyInstance, options: GenerationOptions): void {
  const { db, clock, returnsPerMonth } = options;
  http.get('/api/v1/tools', { config: { isPublic: true } }, async (request): Promise<ToolList> => {
    const userId = findUserId(request);
    return {
      items: toolIds.map((id) => describeTool(id, tools[id], options)),
      ...(userId !== undefined && {
        returnsLeft: await countReturnsLeft(db, clock, userId, returnsPerMonth),
      }),
    };
  });
}

function describeTool(id: ToolId, tool: Tool, { providerOf, isReturnable }: GenerationOptions): ToolEntry {
  const { name, cost, mediaType } = tool;
  const { servedBy, abilities } = providerOf(id);
  const fields = describeFields(tool, abilities) as ToolEntry['fields'];
  return { id, name, cost, mediaType, servedBy, returnable: isReturnable(id), fields };
}

function getToolOf(request: FastifyRequest): Tool {
  const tool = findTool((request.params as { tool: string }).tool);
  if (tool === undefined) throw new AppError('not_found');
  return tool;
}

function create(request: FastifyRequest, reply: FastifyReply, options: GenerationOptions): Promise<FastifyReply> {
  const tool = getToolOf(request);
  const { userId } = requireUser(request);
  return takeForm(request, options, (form) => {
    const idempotent = readIdempotent(request, options.clock, hashForm(form));
    return sendOnce(reply, options.db, idempotent, async () => {
      const { tool: toolId } = request.params as { tool: ToolId };
      const { abilities } = options.providerOf(toolId);
      const { texts, pictures } = await checkForm(tool, form, { ...options, userId, abilities });
      return acceptGeneration(options, { request: idempotent, toolId, pictures, texts });
    });
  });
}

function redo(request: FastifyRequest<WithId>, reply: FastifyReply, options: GenerationOptions): Promise<FastifyReply> {
  const { db, clock, providerOf } = options;
  const idempotent = readIdempotent(request, clock, hashBody(request));
  return sendOnce(reply, db, idempotent, async () => {
    const { id: generationId } = request.params;
    const { tool } = await getOwnRow(db, idempotent.userId, generationId);
    const change = checkChange(getTool(tool), request.body, providerOf(tool).abilities);
    return acceptRedo(options, { request: idempotent, generationId, change });
  });
}

function readFilter(query: unknown): { status: GenerationStatus | null; tool: ToolId | null } {
  const { status, tool } = query as Record<string, unknown>;
  if (tool !== undefined && (typeof tool !== 'string' || !isToolId(tool))) throw fieldError('tool', 'invalid_option');
  return { status: readStatus(status), tool: tool ?? null };
}
