import type { ToolEntry, ToolList } from '@plinth/contract/generations';
import { type Abilities, describeFields } from '@plinth/contract/tool-fields';
import { findTool, isToolId, type ToolId, toolIds, tools } from '@plinth/contract/tools';
import type { Tool } from '@plinth/contract/tool';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendFormOnce } from '../media/form-queue.ts';
import { AppError, fieldError } from '../platform/errors.ts';
import { findUserId, requireUser } from '../platform/http/caller.ts';
import { sendOnce, unlessRepeated } from '../platform/http/idempotency.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute, readBody, type RequestOf } from '../platform/http/route.ts';
import { acceptGeneration, type FormAcceptOptions, refuseTooMany } from './accept.ts';
import { cancelGeneration } from './cancel.ts';
import { checkChange, checkForm } from './check-form.ts';
import { getOwnRow, getTool, listGenerations, readStatus, toGeneration } from './generation-view.ts';
import { acceptRedo } from './redo.ts';
import { readAbilities } from './refused-choices.ts';
import { countReturnsLeft, returnGeneration, type ReturnOptions } from './returns.ts';

export type GenerationOptions = FormAcceptOptions & ReturnOptions;

type OfTool = RequestOf<'post /tools/{tool}/generations'>;
type OfGeneration = RequestOf<'get /generations/{id}'>;

export function addGenerationRoutes(http: FastifyInstance, options: GenerationOptions): void {
  const { db } = options;
  addToolList(http, options);
  const onlyKnownTool = async (request: OfTool) => getToolOf(request);
  const countRequest = async (request: FastifyRequest) => {
    const { userId, rateLimitKey } = requireUser(request);
    await options.limits.count('generation', rateLimitKey);
    await unlessRepeated(db, request, refuseTooMany(db, userId, options.maxInFlight));
  };
  const onlyWithCapacity = async () => options.formQueue.rejectIfOverloaded();
  const making = { guards: [onlyKnownTool, onlyWithCapacity, countRequest] };
  addRoute(http, 'post /tools/{tool}/generations', making, (request, reply) => create(request, reply, options));
  addRoute(http, 'get /generations', (request) => {
    const page = readPage(request);
    return listGenerations(db, options, requireUser(request).userId, readFilter(request.query), page);
  });
  const onlyOwn = (request: OfGeneration) => getOwnRow(db, requireUser(request).userId, request.params.id);
  const showOwn = async (request: OfGeneration) => toGeneration(await onlyOwn(request), options);
  addRoute(http, 'get /generations/{id}', showOwn);
  addRoute(http, 'post /generations/{id}/cancel', { guards: [onlyOwn] }, async (request, reply) => {
    const outcome = await cancelGeneration(db, options, requireUser(request).userId, request.params.id);
    reply.status(outcome === 'canceled' ? 200 : 202);
    return showOwn(request);
  });
  addRoute(http, 'post /generations/{id}/redo', { guards: [onlyOwn, countRequest] }, (request, reply) =>
    redo(request, reply, options),
  );
  addRoute(http, 'post /generations/{id}/return', { guards: [onlyOwn] }, (request, reply) =>
    sendOnce(request, reply, options, async (idempotent) => {
      const { reason } = readBody('post /generations/{id}/return', request);
      return returnGeneration(options, { request: idempotent, generationId: request.params.id, reason });
    }),
  );
}

function addToolList(http: FastifyInstance, options: GenerationOptions): void {
  const { db, clock, returnsPerMonth } = options;
  const list = async (request: FastifyRequest): Promise<ToolList> => {
    const userId = findUserId(request);
    const abilitiesOf = await readAbilities(options);
    return {
      items: toolIds.map((id) => describeTool(id, abilitiesOf(id), options)),
      ...(userId !== undefined && { returnsLeft: await countReturnsLeft(db, clock, userId, returnsPerMonth) }),
    };
  };
  addRoute(http, 'get /tools', list);
}

function describeTool(id: ToolId, abilities: Abilities, options: GenerationOptions): ToolEntry {
  const { name, cost, mediaType } = tools[id];
  const { servedBy } = options.providerOf(id);
  const fields = describeFields(tools[id], abilities) as ToolEntry['fields'];
  return { id, name, cost, mediaType, servedBy, returnable: options.isReturnable(id), fields };
}

function getToolOf({ params }: OfTool): Tool {
  const tool = findTool(params.tool);
  if (tool === undefined) throw new AppError('not_found');
  return tool;
}

function create(request: OfTool, reply: FastifyReply, options: GenerationOptions): Promise<FastifyReply> {
  const tool = getToolOf(request);
  const { userId } = requireUser(request);
  const toolId = request.params.tool as ToolId;
  return sendFormOnce(request, reply, options, async (form, idempotent) => {
    const abilities = (await readAbilities(options))(toolId);
    const { texts, pictures } = await checkForm(tool, form, { ...options, userId, abilities });
    return acceptGeneration(options, { request: idempotent, toolId, pictures, texts });
  });
}

function redo(request: OfGeneration, reply: FastifyReply, options: GenerationOptions): Promise<FastifyReply> {
  return sendOnce(request, reply, options, async (idempotent) => {
    const { id: generationId } = request.params;
    const { tool } = await getOwnRow(options.db, idempotent.userId, generationId);
    const change = checkChange(getTool(tool), request.body, options.providerOf(tool).abilities);
    return acceptRedo(options, { request: idempotent, generationId, change });
  });
}

function readFilter(query: unknown) {
  const { status, tool } = query as Record<string, unknown>;
  if (tool !== undefined && (typeof tool !== 'string' || !isToolId(tool))) throw fieldError('tool', 'invalid_option');
  return { status: readStatus(status), tool: tool ?? null };
}
