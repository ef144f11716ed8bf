import { errors } from '@plinth/contract/errors';
import { itemFactsSchema } from '@plinth/contract/item-facts';
import { countCharacters } from '@plinth/contract/limits';
import { packIds, type PackId } from '@plinth/contract/pack-names';
import { packs } from '@plinth/contract/packs';
import { NAME_MAX_LENGTH } from '@plinth/contract/names';
import type { Run } from '@plinth/contract/runs';
import type { ImageField, Tool, ToolField } from '@plinth/contract/tool';
import { costOf, mainPictureField, pictureFields } from '@plinth/contract/tool-fields';
import { toolIds, tools, type ToolId } from '@plinth/contract/tools';
import { chosenOf } from '../generations/drafts.ts';
import type { Wrong } from '../ui/fields/useForm.ts';
import type { Photo, PhotoFacts } from './photos.ts';

export type RunForm = {
  name: string;
  tool: ToolId;
  texts: Readonly<Record<string, string>>;
  packs: readonly PackId[];
  /** How products stand on their canvas; null for the plain look. */
  lookId: string | null;
  /** In cm, of every photo that has no height of its own; empty where none was given. */
  heightCm: string;
};

/** The tools that take one picture: only these can be used for a catalogue. */
export const runTools: readonly ToolId[] = toolIds.filter((id) => pictureFields(tools[id]).length === 1);

export const pictureField = (tool: Tool) => tool.fields[mainPictureField(tool)] as ImageField;

export function sharedFields(tool: Tool): [string, Exclude<ToolField, ImageField>][] {
  return (tool.shown ?? Object.keys(tool.fields)).flatMap((name) => {
    const field = tool.fields[name];
    if (field === undefined || field.kind === 'image' || !('label' in field)) return [];
    return [[name, field] satisfies [string, ToolField]];
  });
}

/** What is sent: what the screen shows as chosen, and only the fields of this tool. */
export function textsToSend({ tool, texts }: Pick<RunForm, 'tool' | 'texts'>): Record<string, string> {
  return Object.fromEntries(
    sharedFields(tools[tool]).map(([name, field]) => {
      return [name, field.kind === 'choice' ? chosenOf(field, texts[name]) : (texts[name] ?? '')];
    }),
  );
}

/** Credits for each of its photos. */
export const priceOfRun = ({ tool, fields }: Pick<Run, 'tool' | 'fields'>): number => costOf(tools[tool], fields);

/** Marketplaces take no videos, and some only what has no background any more. */
export function packsFor({ shows }: Pick<Tool, 'shows'>): PackId[] {
  if (shows.kind === 'video') return [];
  return packIds.filter((id) => shows.kind === 'cutout' || packs[id].needs === 'picture');
}

/** The marketplaces that were chosen, without those that this tool makes nothing for. */
export function chosenPacks({ tool, packs: chosen }: Pick<RunForm, 'tool' | 'packs'>): PackId[] {
  const possible = packsFor(tools[tool]);
  return chosen.filter((id) => possible.includes(id));
}

export const chosenLook = ({ tool, lookId }: Pick<RunForm, 'tool' | 'lookId'>): string | null =>
  hasLook(tools[tool]) ? lookId : null;
export const hasLook = ({ shows }: Pick<Tool, 'shows'>): boolean => shows.kind === 'cutout';

/** The height of all photos; empty where none was given, or where this tool asks for none. */
const chosenHeight = ({ tool, heightCm }: Pick<RunForm, 'tool' | 'heightCm'>): string =>
  hasLook(tools[tool]) ? heightCm : '';

/** What is sent of a photo for shops: what its list says, and the height of all others. */
export function factsOf(form: Pick<RunForm, 'tool' | 'heightCm'>, { facts }: Pick<Photo, 'facts'>): PhotoFacts {
  const heightCm = chosenHeight(form);
  return { ...(heightCm !== '' && { heightCm }), ...facts };
}

/** The first required field that is still empty. Blanks do not count. */
export function findMissingInForm({ name, tool, texts }: RunForm): Wrong | null {
  if (name.trim() === '') return { sentence: errors.name_required.detail, fields: ['name'] };
  for (const [field, entry] of sharedFields(tools[tool]))
    if ('missing' in entry && (texts[field] ?? '').trim() === '') return { sentence: entry.missing, fields: [field] };
  return null;
}

export function findWrongInForm(form: RunForm): Wrong | null {
  const missing = findMissingInForm(form);
  if (missing !== null) return missing;
  if (countCharacters(form.name.trim()) > NAME_MAX_LENGTH)
    return { sentence: errors.name_too_long.detail, fields: ['name'] };
  const heightCm = chosenHeight(form);
  if (heightCm !== '' && !itemFactsSchema.shape.heightCm.safeParse(heightCm).success)
    return { sentence: errors.height_invalid.detail, fields: ['heightCm'] };
  for (const [name, field] of sharedFields(tools[form.tool])) {
    const text = form.texts[name] ?? '';
    if (field.kind === 'text' && countCharacters(text) > field.maxLength)
      return { sentence: errors.prompt_too_long.detail, fields: [name] };
  }
  return null;
}

export const FRESH_FORM: RunForm = {
  name: '',
  tool: runTools[0] ?? toolIds[0]!,
  texts: {},
  packs: [],
  lookId: null,
  heightCm: '',
};
