import { readMarks } from '../cutout/marks.ts';
import type { ProblemEntry } from '../problem.ts';
import type { Placement } from '../scenes/frame.ts';

/** A picture arrives as a data URL or as the address of an upload; `mayBeWrapped` also takes it as `{ url }`. */
export type PictureField = {
  kind: 'picture';
  required?: true;
  mayBeWrapped?: true;
};

/** The kinds of input a skill can ask for. */
export type Field =
  | PictureField
  | { kind: 'text'; maxLength: number; required?: true }
  | { kind: 'choice'; options: readonly string[] }
  | { kind: 'whole'; least: number; most: number }
  | { kind: 'flag' }
  /** What a person showed on the picture: see cutout/marks.ts. */
  | { kind: 'marks' }
  /** Where the product shall stand: see scenes/frame.ts. */
  | { kind: 'placement' };

export type Fields = Record<string, Field>;
export type Input = Record<string, unknown>;

/** Checks an input against a skill's fields; unknown names are let through unread, as fal does. */
export function checkInput(fields: Fields, input: Input): ProblemEntry[] {
  const problems: ProblemEntry[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = field.kind === 'picture' ? unwrapPicture(field, input[name]) : input[name];
    const fault = isAbsent(value) ? checkAbsent(field) : checkValue(field, value);
    if (fault) problems.push({ loc: ['body', name], ...fault });
  }
  return problems;
}

type Fault = Pick<ProblemEntry, 'type' | 'msg'>;

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function checkAbsent(field: Field): Fault | undefined {
  return 'required' in field && field.required ? { type: 'missing', msg: 'Field required' } : undefined;
}

function checkValue(field: Field, value: unknown): Fault | undefined {
  switch (field.kind) {
    case 'picture':
      return typeof value === 'string' ? undefined : { type: 'string_type', msg: 'Input should be a valid string' };
    case 'text':
      return checkText(value, field.maxLength);
    case 'choice':
      return checkChoice(value, field.options);
    case 'whole':
      return checkWhole(value, field.least, field.most);
    case 'flag':
      return typeof value === 'boolean' ? undefined : { type: 'bool_type', msg: 'Input should be a valid boolean' };
    case 'marks':
      return readMarks(value) ? undefined : { type: 'marks_invalid', msg: 'The marks could not be understood.' };
    case 'placement':
      return readPlacement(value)
        ? undefined
        : { type: 'placement_invalid', msg: 'The placement could not be understood.' };
  }
}

/** The address inside `{ url }` where the field allows that form, else the value itself. */
export function unwrapPicture(field: PictureField, value: unknown): unknown {
  const isWrapped = field.mayBeWrapped === true && typeof value === 'object' && value !== null && 'url' in value;
  return isWrapped ? value.url : value;
}

function checkText(value: unknown, maxLength: number): Fault | undefined {
  if (typeof value !== 'string') return { type: 'string_type', msg: 'Input should be a valid string' };
  if ([...value].length <= maxLength) return undefined;
  return { type: 'string_too_long', msg: `String should have at most ${maxLength} characters` };
}

function checkChoice(value: unknown, options: readonly string[]): Fault | undefined {
  if (typeof value === 'string' && options.includes(value)) return undefined;
  return { type: 'literal_error', msg: `Input should be ${options.map((option) => `'${option}'`).join(', ')}` };
}

function checkWhole(value: unknown, least: number, most: number): Fault | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return { type: 'int_type', msg: 'Input should be a valid integer' };
  }
  if (value < least) return { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${least}` };
  if (value > most) return { type: 'less_than_equal', msg: `Input should be less than or equal to ${most}` };
  return undefined;
}

const PLACEMENT: Record<keyof Placement, readonly [least: number, most: number]> = {
  x: [0, 1],
  y: [0, 1],
  scale: [0.25, 4],
  rotate: [-45, 45],
};

/** A placement as it was sent; undefined where it is none: members out of range, of another kind, or unknown. */
export function readPlacement(value: unknown): Placement | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const isRight = Object.entries(value).every(([name, member]: [string, unknown]) => {
    if (!Object.hasOwn(PLACEMENT, name) || typeof member !== 'number') return false;
    const [least, most] = PLACEMENT[name as keyof Placement];
    return member >= least && member <= most;
  });
  return isRight ? value : undefined;
}
