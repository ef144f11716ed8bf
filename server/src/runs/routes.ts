import { factNames, itemFactsSchema } from '@plinth/contract/item-facts';
import { isSku } from '@plinth/contract/runs';
import type { Tool } from '@plinth/contract/tool';
import { type Abilities, pictureFields, servedFields } from '@plinth/contract/tool-fields';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkChange, checkForm, checkTexts } from '../generations/check-form.ts';
import { getTool, readStatus } from '../generations/generation-view.ts';
import { readAbilities } from '../generations/refused-choices.ts';
import type { FormAcceptOptions } from '../generations/accept.ts';
import type { PictureForm } from '../media/form.ts';
import { sendZip, setDownloadName } from '../media/sending.ts';
import { toFilename } from '../media/uploads.ts';
import { sendFormOnce } from '../media/form-queue.ts';
import type { Packs } from '../packs/packs.ts';
import { fieldError } from '../platform/errors.ts';
import { requireUser } from '../platform/http/caller.ts';
import { parseBody } from '../platform/http/body.ts';
import { sendOnce, unlessRepeated } from '../platform/http/idempotency.ts';
import { readPage } from '../platform/http/paging.ts';
import { addRoute, countBy, readBody } from '../platform/http/route.ts';
import { makeArchive } from './archive.ts';
import { acceptItem, dropItem, refuseTooManyWaiting, retryItems } from './items.ts';
import { getOwnRun, getOwnState, listItems, listRuns, type RunRow, type RunState, showRun } from './run-view.ts';
import { cancelRun, closeRun, createRun } from './runs.ts';

export type RunOptions = FormAcceptOptions & { packs: Packs };

type OfRun = FastifyRequest<{ Params: { id: string } }>;

export function addRunRoutes(http: FastifyInstance, options: RunOptions): void {
  const { db, limits } = options;
  const countRun = countBy(limits, 'run');
  addRoute(http, 'post /runs', { guards: [countRun] }, (request, reply) => create(request, reply, options));
  addRoute(http, 'get /runs', (request) => listRuns(db, requireUser(request).userId, readPage(request)));
  addRoute(http, 'get /runs/{id}', async (request) => showRun(db, await readRun(request, options)));
  const onlyOwn = (request: OfRun) => getOwnState(db, requireUser(request).userId, request.params.id);
  addRoute(http, 'get /runs/{id}/items', async (request) => {
    const { id } = await onlyOwn(request);
    const page = readPage(request);
    return listItems(db, options, id, readStatus((request.query as { status?: unknown }).status), page);
  });

  const onlyWithCapacity = async () => options.formQueue.rejectIfOverloaded();
  const countItem = async (request: FastifyRequest) => {
    const { userId, rateLimitKey } = requireUser(request);
    await limits.count('runItem', rateLimitKey);
    await unlessRepeated(db, request, refuseTooManyWaiting(db, userId));
  };
  addRoute(http, 'post /runs/{id}/items', { guards: [onlyOwn, onlyWithCapacity, countItem] }, (request, reply) =>
    addItem(request, reply, options),
  );
  addRoute(http, 'delete /runs/{id}/items/{itemId}', (request) =>
    dropItem(db, requireUser(request).userId, request.params.id, request.params.itemId),
  );
  addRoute(http, 'get /runs/{id}/archive', { counts: 'download' }, (request, reply) =>
    sendArchive(request, reply, options),
  );
  addChanges(http, options, [onlyOwn, countRun]);
}

async function sendArchive(request: OfRun, reply: FastifyReply, options: RunOptions) {
  const run = await readRun(request, options);
  await options.limits.count('archive', requireUser(request).rateLimitKey);
  setDownloadName(reply, `${run.name}.zip`);
  return sendZip(request, reply, () => makeArchive(options.packs, options, run));
}

function addChanges(
  http: FastifyInstance,
  options: RunOptions,
  guards: readonly ((request: OfRun, reply: FastifyReply) => Promise<unknown>)[],
): void {
  const { db, clock } = options;
  const change = (end: (userId: string, id: string) => Promise<unknown>) => async (request: OfRun) => {
    await end(requireUser(request).userId, request.params.id);
    return showRun(db, await readRun(request, options));
  };
  const close = change((userId, id) => closeRun(db, clock, userId, id));
  const cancel = change((userId, id) => cancelRun(db, options, userId, id));
  addRoute(http, 'post /runs/{id}/close', { guards }, close);
  addRoute(http, 'post /runs/{id}/cancel', { guards }, cancel);
  addRoute(http, 'post /runs/{id}/retry', { guards }, (request, reply) =>
    sendOnce(request, reply, options, async (idempotent) => {
      const { items = null, ...marks } = readBody('post /runs/{id}/retry', request) ?? {};
      const { id, tool } = await getOwnState(db, idempotent.userId, request.params.id);
      const change = checkChange(getTool(tool), marks, options.providerOf(tool).abilities);
      return retryItems(options, idempotent, id, items, change);
    }),
  );
}

const readRun = (request: OfRun, { db }: RunOptions): Promise<RunRow> =>
  getOwnRun(db, requireUser(request).userId, request.params.id);

function create(request: FastifyRequest, reply: FastifyReply, options: RunOptions): Promise<FastifyReply> {
  return sendOnce(request, reply, options, async (idempotent) => {
    const { name, tool: id, fields: given, packs, lookId } = readBody('post /runs', request);
    const tool = getTool(id);
    if (pictureFields(tool).length !== 1) throw fieldError('tool', 'tool_not_for_runs');
    const abilities = (await readAbilities(options))(id);
    const context = { ...options, userId: idempotent.userId, abilities };
    const fields = await checkTexts(tool, new Map(Object.entries(given)), context);
    if (packs.length > 0 && tool.file.type === 'mp4') throw fieldError('packs', 'pack_not_possible');
    return createRun(options.db, { request: idempotent, name, tool: id, fields, packs: [...new Set(packs)], lookId });
  });
}

function addItem(request: OfRun, reply: FastifyReply, options: RunOptions): Promise<FastifyReply> {
  const cameAt = new Date(options.clock.now().getTime() - reply.elapsedTime);
  return sendFormOnce(request, reply, options, async (form, idempotent) => {
    const run = await getOwnState(options.db, idempotent.userId, request.params.id);
    const item = await readItem(form, options, run);
    return acceptItem(options, { request: idempotent, cameAt, ...item });
  });
}

/** Reads and validates an item's form. @throws AppError with the invalid field */
async function readItem(form: PictureForm, options: RunOptions, run: RunState) {
  const tool = getTool(run.tool);
  const replaces = takeText(form, 'replaces');
  const sku = replaces === null ? takeText(form, 'sku') : null;
  const given = Object.fromEntries(factNames.map((name) => [name, takeText(form, name)]));
  const abilities = (await readAbilities(options))(run.tool);
  for (const [name, text] of Object.entries(keepServed(run.fields, tool, abilities)))
    if (!form.texts.has(name)) form.texts.set(name, text);
  const { texts, pictures } = await checkForm(tool, form, { ...options, userId: run.userId, abilities });
  if (sku !== null && !isSku(sku)) throw fieldError('sku', 'sku_invalid');
  const filename = toFilename([...form.files.values()][0]?.filename);
  const facts = parseBody(itemFactsSchema, given, 'item_field_invalid');
  return { runId: run.id, toolId: run.tool, pictures, texts, sku, facts, filename, replaces };
}

/** Removes one of the item's own texts from the form and returns it; null if missing or empty. */
function takeText(form: PictureForm, name: string): string | null {
  const text = form.texts.get(name);
  form.texts.delete(name);
  return text === undefined || text === '' ? null : text;
}

/** A run's fields without choices that were rejected since it began, which fall back to their default. */
function keepServed(fields: Record<string, string>, tool: Tool, abilities: Abilities): Record<string, string> {
  const served = new Map(servedFields(tool, abilities));
  const isServed = ([name, text]: [string, string]) => {
    const field = served.get(name);
    return field?.kind !== 'choice' || field.values.includes(text);
  };
  return Object.fromEntries(Object.entries(fields).filter((field) => served.has(field[0]) && isServed(field)));
}
