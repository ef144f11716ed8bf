import { type FieldError, isErrorCode } from '@plinth/contract/errors';
import { countCharacters } from '@plinth/contract/limits';
import { type ImageField, missingCode, type TextField, type Tool, type ToolField } from '@plinth/contract/tools';
import { findTypeRefusal, type Picture, type PictureForm, preparePicture } from '../media/library.ts';
import { AppError, fieldError, fieldErrors } from '../platform/errors.ts';
import type { HeadshotModels } from './headshot-models.ts';

/** Checks what a person sent against the tool's entry. */

type CheckedForm = { texts: Record<string, string>; pictures: Map<string, Picture> };

/**
 * Checks the form against the tool's entry. A file of a wrong type comes first, then unknown fields, then the fields in
 * the order of the entry.
 */
export async function checkForm(tool: Tool, form: PictureForm, models: HeadshotModels): Promise<CheckedForm> {
  const fields = Object.entries(tool.fields);
  for (const [name, field] of fields) {
    const file = form.files.get(name);
    const refusal = field.kind === 'image' && file !== undefined ? await findTypeRefusal(name, field, file) : undefined;
    if (refusal !== undefined) throw refusal;
  }
  const unknown = [...form.texts.keys(), ...form.files.keys()].find((name) => !Object.hasOwn(tool.fields, name));
  if (unknown !== undefined) throw fieldError(unknown, 'unknown_field');
  const checked: CheckedForm = { texts: {}, pictures: new Map() };
  const refused: FieldError[] = [];
  for (const [name, field] of fields) {
    try {
      if (field.kind === 'image') checked.pictures.set(name, await readPicture(name, field, form));
      else checked.texts[name] = await readWord(name, field, form, models);
    } catch (error) {
      if (!(error instanceof AppError) || error.fields === undefined) throw error;
      refused.push(...error.fields);
    }
  }
  const [first, ...rest] = refused;
  if (first !== undefined) throw fieldErrors([first, ...rest]);
  return checked;
}

async function readPicture(name: string, field: ImageField, form: PictureForm): Promise<Picture> {
  const file = form.files.get(name);
  if (file === undefined) throw missing(name, field.missing);
  return preparePicture(name, field, file);
}

async function readWord(
  name: string,
  field: Exclude<ToolField, ImageField>,
  form: PictureForm,
  models: HeadshotModels,
): Promise<string> {
  if (field.kind === 'text') return readText(name, field, form);
  const value = form.texts.get(name) ?? '';
  if (field.kind === 'choice') {
    const chosen = form.texts.has(name) ? value : field.fallback;
    if (!field.values.includes(chosen)) throw fieldError(name, 'invalid_option');
    return chosen;
  }
  if (value === '') throw missing(name, field.missing);
  if ((await models.find(value)) === undefined) throw fieldError(name, 'invalid_option');
  return value;
}

function readText(name: string, field: TextField, form: PictureForm): string {
  const text = cleanText(form.texts.get(name) ?? '');
  if (text === '') throw missing(name, field.missing);
  if (countCharacters(text) > field.maxLength) throw fieldError(name, 'prompt_too_long');
  return text;
}

function missing(field: string, sentence: string): AppError {
  const code = missingCode(field);
  if (!isErrorCode(code)) throw new Error(`the code ${code} is not in the table of errors`);
  return fieldError(field, code, sentence);
}

// Control characters mean nothing in a description, and the database refuses the zero character.
function cleanText(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '').trim();
}
