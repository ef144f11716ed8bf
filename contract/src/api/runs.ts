import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { generationStatuses } from '../generations.ts';
import { packIds, roles } from '../packs.ts';
import { pageSchema } from '../paging.ts';
import { NAME_MAX_LENGTH, RUN_MAX_ITEMS, runItemSchema, runSchema } from '../runs.ts';
import { toolIds } from '../tools.ts';
import { FIELD_CODES } from './generations.ts';
import { answer, done, FILE, type Operation, PAGING } from './operation.ts';

const newRunSchema = z.strictObject({
  name: z.string().max(NAME_MAX_LENGTH),
  tool: z.enum(toolIds),
  fields: z.record(z.string(), z.string()).optional().describe('Texts of every item that has none of its own.'),
  packs: z.array(z.enum(packIds)).optional(),
  lookId: z.string().optional().describe('A look of yours; it is copied.'),
});
/** Besides these, the texts of the run's tool. */
const itemForm = z
  .object({
    image: FILE,
    sku: z.string().optional(),
    heightCm: z.string().optional().describe('0.1 to 1000; a look whose scale is by height needs it.'),
    asin: z.string().optional(),
    ean: z.string().optional(),
    role: z.enum(roles).optional(),
    handle: z.string().optional(),
    replaces: z.string().optional().describe('Id of the item whose place this photo takes.'),
  })
  .catchall(z.string());

const RUN_CODES = ['invalid_option', 'name_required', 'name_too_long', 'tool_not_for_runs'] as const;
const PACK_CODES = ['unknown_pack', 'pack_not_possible'] as const;
const WORK = ['insufficient_credits', 'too_many_generations', 'storage_full'] as const satisfies ErrorCode[];

export const runOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/runs',
    says: 'Begin a catalogue: one tool for many photos.',
    access: 'session',
    json: newRunSchema,
    idempotencyKey: 'required',
    answers: { 201: { says: 'It is open for photos.', json: runSchema } },
    codes: [...RUN_CODES, ...PACK_CODES, 'look_not_found', ...FIELD_CODES],
  },
  {
    method: 'get',
    path: '/runs',
    says: 'Your catalogues, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(runSchema), 'One page.'),
  },
  {
    method: 'get',
    path: '/runs/{id}',
    says: 'How a catalogue stands.',
    access: 'session',
    answers: answer(runSchema, 'The catalogue.'),
  },
  {
    method: 'get',
    path: '/runs/{id}/items',
    says: 'Its photos and what became of them.',
    access: 'session',
    query: { ...PAGING, status: z.enum(generationStatuses).optional() },
    answers: answer(pageSchema(runItemSchema), 'One page.'),
  },
  {
    method: 'post',
    path: '/runs/{id}/items',
    says: `Add a photo; up to ${RUN_MAX_ITEMS}.`,
    access: 'session',
    form: itemForm,
    idempotencyKey: 'required',
    answers: { 202: { says: 'Accepted and paid.', json: runItemSchema } },
    codes: [
      ...FIELD_CODES,
      ...WORK,
      'image_unreadable',
      'image_read_failed',
      'run_closed',
      'run_full',
      'sku_in_use',
      'sku_invalid',
      'height_invalid',
      'item_field_invalid',
    ],
  },
  {
    method: 'delete',
    path: '/runs/{id}/items/{itemId}',
    says: 'Take a photo out that was not made.',
    access: 'session',
    answers: done('Gone.'),
    codes: ['run_closed', 'not_cancelable'],
  },
  {
    method: 'post',
    path: '/runs/{id}/close',
    says: 'No more photos: it finishes with those that are there.',
    access: 'session',
    answers: answer(runSchema, 'The catalogue.'),
  },
  {
    method: 'post',
    path: '/runs/{id}/cancel',
    says: 'Cancel what waits, with its credits.',
    access: 'session',
    answers: answer(runSchema, 'The catalogue.'),
  },
  {
    method: 'post',
    path: '/runs/{id}/retry',
    says: 'Try again what failed: all, or the named items.',
    access: 'session',
    json: z.strictObject({ items: z.array(z.string()).min(1).max(RUN_MAX_ITEMS).optional() }).optional(),
    answers: { 202: { says: 'Accepted and paid.', json: runSchema } },
    codes: [...WORK, 'invalid_option', 'run_closed'],
  },
  {
    method: 'get',
    path: '/runs/{id}/archive',
    says: 'All that is ready as one ZIP, by SKU and marketplace.',
    access: 'session',
    answers: { 200: { says: 'The ZIP, written as it is sent.', bytes: 'application/zip' } },
  },
];
