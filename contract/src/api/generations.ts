import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { eventSchemas } from '../events.ts';
import {
  generationSchema,
  generationStatuses,
  headshotModelSchema,
  returnSchema,
  sceneSchema,
  toolListSchema,
} from '../generations.ts';
import { marksSchema, subjectSchema } from '../marks.ts';
import { pageSchema } from '../paging.ts';
import { placementSchema } from '../placement.ts';
import { listVariants, missingCode } from '../tool-fields.ts';
import type { Tool, ToolField } from '../tool.ts';
import { SUBJECT_FIELDS, toolIds, tools } from '../tools.ts';
import { accepted, bytes, FILE, FOR_ALL, get, list, post, PUBLIC } from './operation.ts';

/** Returns the schema of one form part. A picture is a file or the media id of an earlier result. */
function toPart(field: ToolField): z.ZodType {
  switch (field.kind) {
    case 'image':
      return z
        .union([FILE.mime([...field.accept]), z.string().regex(/^med_/)])
        .describe(`${field.label}. A file, or the media id of an earlier result.`);
    case 'text':
      return z.string().max(field.maxLength).describe(field.label);
    case 'choice':
      return z.enum(field.values).default(field.fallback).optional().describe(field.label);
    case 'model':
      return z.string().regex(/^mdl_/).describe(`${field.label}: an id of GET /headshot-models.`);
    case 'variant':
      return z
        .enum(['', ...listVariants(field)])
        .optional()
        .describe('Another picture of the same input.');
    case 'marks':
      return jsonPart(`What the product is in "${field.of}".`, 'Marks');
    case 'placement':
      return jsonPart('Where the product stands in its scene.', 'Placement');
  }
}

function jsonPart(description: string, schema: 'Marks' | 'Placement'): z.ZodType {
  const contentSchema = { $ref: `#/components/schemas/${schema}` };
  return z.string().optional().meta({ description, contentMediaType: 'application/json', contentSchema });
}

/** Returns the schema of a tool's multipart form. */
export const formOf = ({ fields, name }: Pick<Tool, 'fields' | 'name'>) =>
  z
    .strictObject(Object.fromEntries(Object.entries(fields).map(([part, field]) => [part, toPart(field)])))
    .describe(name);

const FAULT_OF_KIND: Partial<Record<ToolField['kind'], ErrorCode>> = {
  choice: 'invalid_option',
  variant: 'invalid_option',
  marks: 'marks_invalid',
  placement: 'placement_invalid',
};

const allFields = Object.values<Tool>(tools).flatMap(({ fields }) => Object.entries(fields));
const faults = allFields.map(([name, { kind }]) => FAULT_OF_KIND[kind] ?? missingCode(name));
export const FIELD_CODES = [...new Set<ErrorCode>([...faults, 'invalid_option', 'prompt_too_long'])];

const CHANGES: Partial<Record<ToolField['kind'], z.ZodType>> = {
  text: z.string(),
  marks: marksSchema,
  placement: z.union([placementSchema, z.literal('')]),
};
const changeSchema = z.strictObject(
  Object.fromEntries(
    allFields.flatMap(([name, { kind }]) => {
      const change = CHANGES[kind];
      return change === undefined ? [] : [[name, change.optional()] as const];
    }),
  ),
);

export const WORK_CODES = [
  'insufficient_credits',
  'too_many_generations',
  'storage_full',
] as const satisfies ErrorCode[];

const PHOTO_CODES = ['image_required', 'marks_invalid', 'subject_unavailable'] as const;
const CHANGE_CODES = ['marks_invalid', 'placement_invalid', 'prompt_required', 'prompt_too_long'] as const;

export const generationOperations = [
  get(
    '/tools',
    'The tools, their prices and their fields; to whoever is signed in also how many returns are left.',
    toolListSchema,
    PUBLIC,
  ),
  post(
    '/tools/{tool}/generations',
    'Make a picture or a video.',
    accepted(generationSchema, 'Accepted and paid; it goes on by itself.'),
    {
      form: z.union(toolIds.map((id) => formOf(tools[id]))),
      idempotencyKey: 'required',
      codes: [...FIELD_CODES, ...WORK_CODES],
    },
  ),
  post(
    '/subject',
    'What would be taken for the product in a photo, its box and outline in shares of the photo; nothing is stored and nothing paid.',
    subjectSchema,
    { form: formOf({ name: 'Photo', fields: SUBJECT_FIELDS }), codes: PHOTO_CODES },
  ),
  list('/generations', 'Your generations, newest first.', generationSchema, {
    status: z.enum(generationStatuses).optional(),
    tool: z.enum(toolIds).optional(),
  }),
  get('/generations/{id}', 'How a generation stands, and its result.', generationSchema),
  post(
    '/generations/{id}/cancel',
    'Cancel it; the credits come back unless it ends first.',
    {
      200: { says: 'It had not begun: canceled and refunded.', json: generationSchema },
      ...accepted(generationSchema, 'It is running: canceled as soon as that is possible.'),
    },
    { codes: ['not_cancelable'] },
  ),
  post(
    '/generations/{id}/redo',
    'Another try, free, with other words, marks or placement.',
    accepted(generationSchema, 'Accepted; it costs nothing.'),
    {
      json: changeSchema.optional(),
      idempotencyKey: 'required',
      codes: [...CHANGE_CODES, ...WORK_CODES, 'redo_not_possible'],
    },
  ),
  post('/generations/{id}/return', 'Not usable: give the result back for its credits.', generationSchema, {
    json: returnSchema,
    fault: 'invalid_option',
    idempotencyKey: 'optional',
    codes: ['return_not_possible'],
  }),
  get(
    '/scenes',
    'Scenes of the built-in engine, with the words that lead to them; none where it serves no tool.',
    z.object({ items: z.array(sceneSchema) }),
    FOR_ALL,
  ),
  get('/headshot-models', 'Stock portraits for headshots.', pageSchema(headshotModelSchema)),
  get(
    '/events',
    `Live news as an event stream: ${Object.keys(eventSchemas).join(', ')}. Last-Event-ID goes on where it stopped.`,
    bytes(['text/event-stream'], 'Goes on until you close it.'),
  ),
] as const;
