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
import type { FormError } from '../ui/fields/useForm.ts';
import { plural } from '../ui/format.ts';
import type { Photo, PhotoFacts } from './photos.ts';

export type RunForm = {
  name: string;
  tool: ToolId;
  texts: Readonly<Record<string, string>>;
  packs: readonly PackId[];
  /** How products stand on their canvas; null for the plain look. */
  lookId: string | null;
  /** In cm, for every photo without a height of its own; empty if not given. */
  heightCm: string;
};

/** Tools that take one picture: only these can be used for a catalogue. */
export const runTools: readonly ToolId[] = toolIds.filter((id) => pictureFields(tools[id]).length === 1);

export const pictureField = (tool: Tool) => tool.fields[mainPictureField(tool)] as ImageField;

export function sharedFields(tool: Tool): [string, Exclude<ToolField, ImageField>][] {
  return (tool.shown ?? Object.keys(tool.fields)).flatMap((name) => {
    const field = tool.fields[name];
    if (field === undefined || field.kind === 'image' || !('label' in field)) return [];
    return [[name, field] satisfies [string, ToolField]];
  });
}

/** With three digits after the comma it could be a thousands separator. */
const DECIMAL_COMMA = /^(\d+),(\d{1,2})$/;
export const withPoint = (number: string): string => number.replace(DECIMAL_COMMA, '$1.$2');

/** What is sent: the settings shown as chosen, and only those that this tool uses. */
export function chosenIn({ name, tool: toolId, texts, packs: wanted, lookId, heightCm }: RunForm) {
  const tool: Tool = tools[toolId];
  const possible = packsFor(tool);
  const fields = sharedFields(tool).map(([field, entry]) => {
    return [field, entry.kind === 'choice' ? chosenOf(entry, texts[field]) : (texts[field] ?? '')];
  });
  return {
    name: name.trim(),
    tool: toolId,
    fields: Object.fromEntries(fields) as Record<string, string>,
    packs: wanted.filter((id) => possible.includes(id)),
    ...(hasLook(tool) ? { lookId, heightCm: withPoint(heightCm) } : { lookId: null, heightCm: '' }),
  };
}

/** Credits per photo. */
export const priceOfRun = ({ tool, fields }: Pick<Run, 'tool' | 'fields'>): number => costOf(tools[tool], fields);

/** Marketplaces take no videos, and some take only pictures without a background. */
export function packsFor({ shows }: Pick<Tool, 'shows'>): PackId[] {
  if (shows.kind === 'video') return [];
  return packIds.filter((id) => shows.kind === 'cutout' || packs[id].needs === 'picture');
}

export const hasLook = ({ shows }: Pick<Tool, 'shows'>): boolean => shows.kind === 'cutout';

/** A photo's data sent for shops: from its list, with the height given for all. */
export function factsOf(form: RunForm, { facts }: Pick<Photo, 'facts'>): PhotoFacts {
  const { heightCm } = chosenIn(form);
  return { ...(heightCm !== '' && { heightCm }), ...facts };
}

/** What is missing before a catalogue of this many photos can start; null if nothing is. Blanks do not count. */
export function sayLacking({ name, tool, texts }: RunForm, photoCount: number, problemCount: number): string | null {
  if (photoCount === 0) return 'Add photos first.';
  if (problemCount > 0) return `${plural(problemCount, 'photo')} to mend or to leave out first.`;
  if (name.trim() === '') return `${errors.name_required.detail}.`;
  for (const [field, entry] of sharedFields(tools[tool]))
    if ('missing' in entry && (texts[field] ?? '').trim() === '') return `${entry.missing}.`;
  return null;
}

/** The first field that would be refused, of a complete form. */
export function validateRunForm(form: RunForm): FormError | null {
  const { name, fields, heightCm } = chosenIn(form);
  if (countCharacters(name) > NAME_MAX_LENGTH) return { sentence: errors.name_too_long.detail, fields: ['name'] };
  if (heightCm !== '' && !itemFactsSchema.shape.heightCm.safeParse(heightCm).success)
    return { sentence: errors.height_invalid.detail, fields: ['heightCm'] };
  const long = sharedFields(tools[form.tool]).find(
    ([field, entry]) => entry.kind === 'text' && countCharacters(fields[field] ?? '') > entry.maxLength,
  );
  return long === undefined ? null : { sentence: errors.prompt_too_long.detail, fields: [long[0]] };
}

export const FRESH_FORM: RunForm = {
  name: '',
  tool: runTools[0] ?? toolIds[0]!,
  texts: {},
  packs: [],
  lookId: null,
  heightCm: '',
};
