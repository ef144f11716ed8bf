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
import { answer, FILE, type Operation, PAGING } from './operation.ts';

/** A part of a tool's form. Instead of a file a picture may be the id of an earlier result. */
function toPart(name: string, field: ToolField): z.ZodType {
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
    default:
      throw new Error(`no part of a form is known for ${name}`);
  }
}

function jsonPart(description: string, schema: 'Marks' | 'Placement'): z.ZodType {
  const contentSchema = { $ref: `#/components/schemas/${schema}` };
  return z.string().optional().meta({ description, contentMediaType: 'application/json', contentSchema });
}

/** The form of a tool, as its entry has it. */
export const formOf = ({ fields, name }: Pick<Tool, 'fields' | 'name'>) =>
  z
    .strictObject(Object.fromEntries(Object.entries(fields).map(([part, field]) => [part, toPart(part, field)])))
    .describe(name);

const FAULT_OF_KIND: Partial<Record<ToolField['kind'], ErrorCode>> = {
  choice: 'invalid_option',
  variant: 'invalid_option',
  marks: 'marks_invalid',
  placement: 'placement_invalid',
};

/** What can be wrong with the fields of tools. */
function listFieldCodes(all: readonly Pick<Tool, 'fields'>[]): ErrorCode[] {
  const codes = all.flatMap(({ fields }) =>
    Object.entries(fields).map(([name, { kind }]) => FAULT_OF_KIND[kind] ?? missingCode(name)),
  );
  return [...new Set([...codes, 'invalid_option', 'prompt_too_long'])] as ErrorCode[];
}

export const FIELD_CODES = listFieldCodes(Object.values(tools));

/** What a redo may change: words, marks and placement, by the names of their fields. */
const CHANGES: Partial<Record<ToolField['kind'], z.ZodType>> = {
  text: z.string(),
  marks: marksSchema,
  placement: z.union([placementSchema, z.literal('')]),
};
const changeSchema = z.strictObject(
  Object.fromEntries(
    Object.values<Tool>(tools)
      .flatMap(({ fields }) => Object.entries(fields))
      .flatMap(([name, { kind }]) => {
        const change = CHANGES[kind];
        return change === undefined ? [] : [[name, change.optional()] as const];
      }),
  ),
);

const begun = { says: 'Accepted and paid; it goes on by itself.', json: generationSchema };
const REFUSED_WORK = ['insufficient_credits', 'too_many_generations', 'storage_full'] as const satisfies ErrorCode[];
const WORDS = [
  'marks_invalid',
  'placement_invalid',
  'prompt_required',
  'prompt_too_long',
  'unknown_field',
] as const satisfies ErrorCode[];

export const generationOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/tools',
    says: 'The tools, their prices and their fields.',
    access: 'public',
    answers: answer(toolListSchema, 'Whoever is signed in is also told how many returns are left.'),
  },
  {
    method: 'post',
    path: '/tools/{tool}/generations',
    says: 'Make a picture or a video.',
    access: 'session',
    form: z.union(toolIds.map((id) => formOf(tools[id]))),
    idempotencyKey: 'required',
    answers: { 202: begun },
    codes: [...FIELD_CODES, ...REFUSED_WORK, 'image_unreadable', 'image_read_failed'],
  },
  {
    method: 'post',
    path: '/subject',
    says: 'What would be taken for the product in a photo; nothing is stored and nothing paid.',
    access: 'session',
    form: formOf({ name: 'Photo', fields: SUBJECT_FIELDS }),
    answers: answer(subjectSchema, 'Whether that is sure, its box and its outline, in shares of the photo.'),
    codes: [
      'image_required',
      'image_unreadable',
      'image_read_failed',
      'unsupported_image_type',
      'unknown_field',
      'marks_invalid',
      'subject_unavailable',
    ],
  },
  {
    method: 'get',
    path: '/generations',
    says: 'Your generations, newest first.',
    access: 'session',
    query: { ...PAGING, status: z.enum(generationStatuses).optional(), tool: z.enum(toolIds).optional() },
    answers: answer(pageSchema(generationSchema), 'One page.'),
  },
  {
    method: 'get',
    path: '/generations/{id}',
    says: 'How a generation stands, and its result.',
    access: 'session',
    answers: answer(generationSchema, 'The generation.'),
  },
  {
    method: 'post',
    path: '/generations/{id}/cancel',
    says: 'Cancel it; the credits come back unless it ends first.',
    access: 'session',
    answers: {
      200: { says: 'It had not begun: canceled and refunded.', json: generationSchema },
      202: { says: 'It is running: canceled as soon as that is possible.', json: generationSchema },
    },
    codes: ['not_cancelable'],
  },
  {
    method: 'post',
    path: '/generations/{id}/redo',
    says: 'Another try, free, with other words, marks or placement.',
    access: 'session',
    json: changeSchema.optional(),
    idempotencyKey: 'required',
    answers: { 202: { ...begun, says: 'Accepted; it costs nothing.' } },
    codes: [...WORDS, ...REFUSED_WORK, 'redo_not_possible'],
  },
  {
    method: 'post',
    path: '/generations/{id}/return',
    says: 'Not usable: give the result back for its credits.',
    access: 'session',
    json: returnSchema,
    answers: answer(generationSchema, 'The generation, without its result.'),
    codes: ['invalid_option', 'return_not_possible'],
  },
  {
    method: 'get',
    path: '/scenes',
    says: 'Scenes of the built-in engine, with the words that lead to them.',
    access: 'public',
    isForAll: true,
    answers: answer(z.object({ items: z.array(sceneSchema) }), 'All of them; none where the engine serves no tool.'),
  },
  {
    method: 'get',
    path: '/headshot-models',
    says: 'Stock portraits for headshots.',
    access: 'session',
    answers: answer(pageSchema(headshotModelSchema), 'All of them.'),
  },
  {
    method: 'get',
    path: '/events',
    says: `Live news as an event stream: ${Object.keys(eventSchemas).join(', ')}.`,
    access: 'session',
    answers: {
      200: { says: 'Goes on until you close it. Last-Event-ID goes on where it stopped.', bytes: 'text/event-stream' },
    },
  },
];
