import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { errors } from '@plinth/contract/errors';
import { type Generation, isTerminal } from '@plinth/contract/generations';
import { packIds } from '@plinth/contract/pack-names';
import { checkListSchema } from '@plinth/contract/packs';
import { type ToolId, tools } from '@plinth/contract/tools';
import { z } from 'zod';
import { ApiError, type CallApi, toForm } from './api-client.ts';

/** The tools of the Model Context Protocol. Each makes a few calls of our own API. */

export type Call = {
  callApi: CallApi;
  origin: string;
  report: (progress: number, message: string) => Promise<void>;
  waitMs: number;
  signal: AbortSignal;
};

type Arguments = Partial<Record<'image' | 'media' | 'prompt' | 'pack' | 'look' | 'id', string | undefined>>;

type AgentTool = {
  description: string;
  /** Schema of the arguments; the API validates the rest. */
  schema: z.ZodType<Arguments>;
  run: (call: Call, args: Arguments) => Promise<CallToolResult>;
};

const image = z.string().optional().describe('A JPEG, PNG or WebP in base64. This or `media`.');
const media = z.string().optional().describe('The media id of an earlier result. This or `image`.');
const prompt = z.string().optional();

const priceOf = (id: ToolId) => `${tools[id].cost} ${tools[id].cost === 1 ? 'credit' : 'credits'}`;

/** Encodes an id as a path segment; a segment of dots alone would change the path (WHATWG URL). */
const toSegment = (id: string): string => encodeURIComponent(/^\.+$/.test(id) ? `${id}_` : id);

export const agentTools: Record<string, AgentTool> = {
  remove_background: {
    description: `Cuts the product out of its background. ${priceOf('remover')}; nothing if it fails.`,
    schema: z.strictObject({ image, media }),
    run: (call, args) => generate(call, 'remover', args),
  },
  place_product: {
    description: `Puts the product of a photo into the scene that you describe. ${priceOf('text-to-image')}; nothing if it fails.`,
    schema: z.strictObject({
      image,
      media,
      prompt: prompt.describe('The scene, such as "on a wooden table, warm light".'),
    }),
    run: (call, args) => generate(call, 'text-to-image', args),
  },
  make_video: {
    description: `Makes a video of the product: with a prompt ${priceOf('image-to-video')}, without one a plain one for ${priceOf('basic-image-to-video')}; nothing if it fails.`,
    schema: z.strictObject({ image, media, prompt: prompt.describe('How it moves, such as "slow turn to the left".') }),
    run: (call, args) => generate(call, args.prompt === undefined ? 'basic-image-to-video' : 'image-to-video', args),
  },
  check_listing: {
    description: 'Measures a picture against the rules of the marketplaces, or of one. Free.',
    schema: z.strictObject({
      image,
      media,
      pack: z
        .string()
        .optional()
        .describe(`Only this: ${packIds.join(', ')}.`),
    }),
    run: async ({ callApi }, args) => {
      const { body } = await (args.media === undefined
        ? callApi('POST', '/checks', await toForm({}, args.image))
        : callApi('GET', `/media/${toSegment(args.media)}/checks`));
      const { items } = checkListSchema.parse(body);
      const chosen = items.filter(({ pack }) => args.pack === undefined || pack === args.pack);
      if (chosen.length === 0) throw new ApiError(errors.not_found.detail);
      return toResult({ items: chosen });
    },
  },
  export_pack: {
    description: 'A result as the file that a marketplace wants, or a cut-out as a packshot. Free.',
    schema: z.strictObject({
      media: z.string().describe('The media id of the result.'),
      pack: z.string().describe(`The marketplace: ${packIds.join(', ')}; or packshot.`),
      look: z.string().optional().describe('The id of a saved look: its shadow, margins and alignment.'),
    }),
    run: async ({ callApi }, { media: earlier = '', pack = '', look }) => {
      const query = look === undefined ? '' : `?look=${encodeURIComponent(look)}`;
      const kind = pack === 'packshot' ? pack : `packs/${toSegment(pack)}`;
      const path = `/media/${toSegment(earlier)}/${kind}${query}`;
      const { bytes, contentType, filename } = await callApi('GET', path);
      const file = { filename, contentType, bytes: bytes.byteLength };
      return toResult(file, { type: 'image', data: bytes.toString('base64'), mimeType: contentType });
    },
  },
  get_generation: {
    description: 'How a generation stands, and its result.',
    schema: z.strictObject({ id: z.string().describe('The id of the generation.') }),
    run: async (call, { id = '' }) => toGenerationResult(call, await readGeneration(call, id)),
  },
  get_credits: {
    description: 'The credits that are left.',
    schema: z.strictObject({}),
    run: async ({ callApi }) => toResult((await callApi('GET', '/credits')).body),
  },
};

const POLL_MS = 1000;

/** Starts a generation and waits for its end; after a timeout returns its id. */
async function generate(call: Call, tool: ToolId, { image: picture, media: earlier, prompt: words }: Arguments) {
  // A form reports an unusable picture; for an agent it is an unknown id.
  if (earlier !== undefined) await call.callApi('GET', `/media/${toSegment(earlier)}`);
  const form = await toForm({ image: earlier, prompt: words }, picture);
  const started = await call.callApi('POST', `/tools/${tool}/generations`, form);
  const startedAt = performance.now();
  let generation = started.body as Generation;
  while (!isTerminal(generation.status) && performance.now() - startedAt < call.waitMs && !call.signal.aborted) {
    await call.report(Math.round((performance.now() - startedAt) / 1000), generation.progress.message);
    await sleep(POLL_MS, undefined, { signal: call.signal }).catch(() => undefined);
    // The generation continues regardless, so a failed poll is followed by the next.
    generation = await readGeneration(call, generation.id).catch(() => generation);
  }
  return toGenerationResult(call, generation);
}

const readGeneration = async ({ callApi }: Call, id: string): Promise<Generation> =>
  (await callApi('GET', `/generations/${toSegment(id)}`)).body as Generation;

const PREVIEW_WIDTH = 640;

/** The generation; with a result also a small picture and the file's address. */
async function toGenerationResult({ callApi, origin }: Call, generation: Generation): Promise<CallToolResult> {
  const { result, error } = generation;
  if (error !== null)
    return { ...toResult(generation), content: [{ type: 'text', text: error.message }], isError: true };
  if (result === null) return toResult(generation);
  const { contentType, contentUrl, originalFilename, mediaId } = result;
  const link = {
    type: 'resource_link',
    uri: origin + contentUrl,
    name: originalFilename,
    mimeType: contentType,
  } as const;
  if (!contentType.startsWith('image/')) return toResult(generation, link);
  const preview = await callApi('GET', `/media/${mediaId}/preview?width=${PREVIEW_WIDTH}`).catch(() => undefined);
  const thumbnail =
    preview && ({ type: 'image', data: preview.bytes.toString('base64'), mimeType: preview.contentType } as const);
  return toResult(generation, ...(thumbnail === undefined ? [] : [thumbnail]), link);
}

function toResult(body: unknown, ...more: CallToolResult['content']): CallToolResult {
  const structuredContent = body as Record<string, unknown>;
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(body) }, ...more] };
}

/** Runs a tool. Errors are returned as a result, so that the agent reads our sentence. */
export async function runTool(call: Call, name: string, args: unknown): Promise<CallToolResult> {
  const refuse = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });
  const tool = Object.hasOwn(agentTools, name) ? agentTools[name] : undefined;
  const parsed = tool?.schema.safeParse(args ?? {});
  const isInvalid = parsed?.success !== true || (parsed.data.image !== undefined && parsed.data.media !== undefined);
  if (tool === undefined || isInvalid) return refuse(errors.malformed_request.detail);
  try {
    return await tool.run(call, parsed.data);
  } catch (error) {
    if (error instanceof ApiError) return refuse(error.message);
    throw error;
  }
}
