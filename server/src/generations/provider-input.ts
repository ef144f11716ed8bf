import { isGuide } from '@plinth/contract/tool-fields';
import { readUploads } from '../media/library.ts';
import { hashPayload } from '../platform/http/idempotency.ts';
import { type InputPicture, ProviderError, type ProviderInput } from '../providers/provider.ts';
import { getTool } from './generation-view.ts';
import type { Running, RunOptions } from './run.ts';
import { failStorage } from './storage-failure.ts';

/** What a provider gets for a generation: pictures, texts, guides and a seed. */

export function toInput({ tool, input, seedNumber }: Running, pictures: Map<string, InputPicture>): ProviderInput {
  const { fields } = getTool(tool);
  const texts: Record<string, string> = {};
  const guides: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fields[name];
    if (field === undefined || !isGuide(field)) texts[name] = value;
    else if (value !== '') guides[name] = JSON.parse(value);
  }
  const isDefaultSeed = seedNumber === 0 && (texts['variant'] ?? '0') === '0';
  return { pictures, texts, guides, seed: isDefaultSeed ? undefined : makeSeed(seedNumber, texts, pictures) };
}

/**
 * Distance between the seeds of redos. The built-in engine cycles through 20 views and lights, so three redos differ
 * from each other and from the first four variants.
 */
const REDO_STEP = 17;

/** Returns a deterministic 31-bit seed. Variants count up from the form's seed. */
function makeSeed(
  seedNumber: number,
  texts: Record<string, string>,
  pictures: ReadonlyMap<string, InputPicture>,
): number {
  const { variant, ...form } = texts;
  const parts = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
  const files = [...pictures].map(([name, { content }]): [string, Uint8Array] => [name, content]);
  return (hashPayload([...parts, ...files]).readUInt32BE(0) + REDO_STEP * seedNumber + Number(variant ?? 0)) % 2 ** 31;
}

/** All inputs of the tool. @throws ProviderError if one of them is gone */
export async function getPictures(options: RunOptions, running: Running): Promise<Map<string, InputPicture>> {
  const pictures = await readPictures(options, running);
  const missing = Object.entries(getTool(running.tool).fields).find(
    ([name, { kind }]) => (kind === 'image' || kind === 'model') && !pictures.has(name),
  );
  if (missing !== undefined) throw new ProviderError('provider_failed', { cause: new Error(`${missing[0]} is gone`) });
  return pictures;
}

/** The uploads and the chosen stock portrait by field name, without those that are gone. */
export async function readPictures(options: RunOptions, running: Running): Promise<Map<string, InputPicture>> {
  const uploads = await readUploads(options.library, running.id).catch(failStorage('the uploads could not be read'));
  const pictures = new Map<string, InputPicture>(uploads);
  for (const [name, field] of Object.entries(getTool(running.tool).fields)) {
    if (field.kind !== 'model') continue;
    const model = await options.headshotModels.find(running.input[name] ?? '');
    const content = await model?.read();
    if (model !== undefined && content !== undefined) pictures.set(name, { content, contentType: model.contentType });
  }
  return pictures;
}
