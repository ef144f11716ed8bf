import type { FieldError } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { marksSchema } from '@plinth/contract/marks';
import { placementSchema } from '@plinth/contract/placement';
import { type Abilities, isGuide, listVariants, missingCode, servedFields } from '@plinth/contract/tool-fields';
import type { GuideField, ImageField, TextField, Tool, ToolField } from '@plinth/contract/tool';
import { z } from 'zod';
import { type Picture, preparePicture, refuseWrongType } from '../media/uploads.ts';
import { type Library, openMediaAsFile } from '../media/library.ts';
import type { PictureForm } from '../media/form.ts';
import { AppError, fieldError, fieldErrors } from '../platform/errors.ts';
import { parseBody } from '../platform/http/body.ts';
import { parseJson } from '../platform/json.ts';
import { isBlankText } from '@plinth/contract/names';
import type { HeadshotModels } from './headshot-models.ts';

/** Validates a user's input against the tool's entry. */

type FormContext = {
  userId: string;
  library: Library;
  formFolder: string;
  headshotModels: HeadshotModels;
  /** Of the provider that serves the tool. */
  abilities: Abilities;
};

type CheckedForm = { texts: Record<string, string>; pictures: Map<string, Picture> };

/** Validates a form: file types first, then unknown fields, then the tool's fields in order. */
export async function checkForm(
  tool: Pick<Tool, 'fields'>,
  form: PictureForm,
  context: FormContext,
): Promise<CheckedForm> {
  const fields = servedFields(tool, context.abilities);
  for (const [name, field] of fields) {
    const file = form.files.get(name);
    if (field.kind === 'image' && file !== undefined) await refuseWrongType(name, field, file);
  }
  refuseUnknown([...form.texts.keys(), ...form.files.keys()], fields);
  for (const [name, { kind }] of fields) if (kind !== 'image' && form.files.has(name)) form.texts.set(name, NO_TEXT);
  const checked: CheckedForm = { texts: {}, pictures: new Map() };
  await readFields(fields, async (name, field) => {
    if (field.kind === 'image') checked.pictures.set(name, await readPicture(name, field, form, context));
    else if (isGuide(field)) Object.assign(checked.texts, readGuide(name, field, form));
    else checked.texts[name] = await readValue(name, field, form.texts, context.headshotModels);
  });
  return checked;
}

/** The value of a text field that was sent as a file: no field accepts it. */
const NO_TEXT = '\0';

/** Validates the fields other than pictures and what is set on them, as for a run. Returns those that were given. */
export async function checkTexts(
  { fields }: Tool,
  texts: Map<string, string>,
  context: FormContext,
): Promise<Record<string, string>> {
  const own = Object.entries(fields).filter(([, field]) => field.kind !== 'image' && !isGuide(field));
  const checked = await checkForm({ fields: Object.fromEntries(own) }, { texts, files: new Map() }, context);
  return Object.fromEntries(Object.entries(checked.texts).filter(([name]) => texts.has(name)));
}

function refuseUnknown(names: string[], fields: [string, ToolField][]): void {
  const unknown = names.find((name) => !fields.some(([known]) => known === name));
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
}

/** Reads every field; reports all invalid ones together. */
async function readFields(
  fields: [string, ToolField][],
  read: (name: string, field: ToolField) => Promise<unknown>,
): Promise<void> {
  const faults: FieldError[] = [];
  for (const [name, field] of fields) {
    try {
      await read(name, field);
    } catch (error) {
      if (!(error instanceof AppError) || error.fields === undefined) throw error;
      faults.push(...error.fields);
    }
  }
  const [first, ...rest] = faults;
  if (first !== undefined) throw fieldErrors([first, ...rest]);
}

async function readPicture(
  name: string,
  field: ImageField,
  form: PictureForm,
  { userId, library, formFolder, abilities }: FormContext,
): Promise<Picture> {
  const mediaId = form.texts.get(name);
  if (mediaId?.startsWith('med_') === true)
    // Deleted together with the form's files.
    form.files.set(name, await openMediaAsFile(library, formFolder, { userId, mediaId, name, field }));
  const file = form.files.get(name);
  if (file === undefined) throw missing(name, field.missing);
  return preparePicture(name, field, file, abilities);
}

/** Marks and placement in their stored form, beside the texts; undefined if absent. @throws AppError as `cleanGuide` */
function readGuide(name: string, field: GuideField, form: PictureForm): Record<string, string> {
  const text = form.texts.get(name);
  if (text === undefined || (text === '' && field.kind === 'placement')) return {};
  return { [name]: cleanGuide(name, field, parseJson(text), Buffer.byteLength(text)) };
}

const PLACEMENT_MAX_BYTES = 1024;

/** Validates marks or a placement. @throws AppError marks_invalid, placement_invalid */
function cleanGuide(name: string, { kind }: GuideField, value: unknown, bytes = 0): string {
  const isTooLong = kind === 'placement' && bytes > PLACEMENT_MAX_BYTES;
  const parsed = (kind === 'marks' ? marksSchema : placementSchema).safeParse(value);
  if (!parsed.success || isTooLong) throw fieldError(name, kind === 'marks' ? 'marks_invalid' : 'placement_invalid');
  return JSON.stringify(parsed.data);
}

/** An object. A record's schema would drop a member named `__proto__`, which is unknown like every other. */
const changesSchema = z.custom<Record<string, unknown>>(
  (given) => typeof given === 'object' && given !== null && !Array.isArray(given),
);

/** Validates the changes of a redo. @throws AppError malformed_request, unknown_field, or the field's own code */
export function checkChange(tool: Tool, body: unknown, abilities: Abilities): Record<string, string> {
  const changes = parseBody(changesSchema, body === undefined ? {} : body, 'malformed_request');
  const fields = new Map(servedFields(tool, abilities).filter(([, field]) => field.kind === 'text' || isGuide(field)));
  const unknown = Object.keys(changes).find((name) => !fields.has(name));
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  const change: Record<string, string> = {};
  for (const [name, field] of fields) {
    const value = changes[name];
    if (value === undefined) continue;
    if (isGuide(field)) change[name] = isEmptyPlacement(field, value) ? '' : cleanGuide(name, field, value);
    if (field.kind === 'text') change[name] = readText(name, field, typeof value === 'string' ? value : '');
  }
  return change;
}

/** An empty placement removes that of the first try. */
const isEmptyPlacement = ({ kind }: GuideField, value: unknown) =>
  kind === 'placement' && (value === '' || value === null);

async function readValue(
  name: string,
  field: Exclude<ToolField, ImageField | GuideField>,
  texts: Map<string, string>,
  models: HeadshotModels,
): Promise<string> {
  const value = texts.get(name) ?? '';
  if (field.kind === 'text') return readText(name, field, value);
  if (field.kind === 'variant') {
    const chosen = value === '' ? '0' : value;
    if (!listVariants(field).includes(chosen)) throw fieldError(name, 'invalid_option');
    return chosen;
  }
  if (field.kind === 'choice') {
    const chosen = texts.has(name) ? value : field.fallback;
    if (!field.values.includes(chosen)) throw fieldError(name, 'invalid_option');
    return chosen;
  }
  if (value === '') throw missing(name, field.missing);
  if ((await models.find(value)) === undefined) throw fieldError(name, 'invalid_option');
  return value;
}

function readText(name: string, field: TextField, raw: string): string {
  const text = cleanText(raw);
  // Postgres cannot store a NUL character. No keyboard types one, so it is rejected rather than removed.
  if (raw.includes('\0') || isBlankText(text)) throw missing(name, field.missing);
  if (countCharacters(text) > field.maxLength) throw fieldError(name, 'prompt_too_long');
  return text;
}

const missing = (field: string, sentence: string): AppError => fieldError(field, missingCode(field), sentence);

// Control characters have no meaning in a description.
function cleanText(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '').trim();
}
