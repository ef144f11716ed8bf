import { z } from 'zod';
import { generationStatuses } from '../generations.ts';
import { packIds, roles } from '../pack-names.ts';
import { nameSchema } from '../names.ts';
import { RUN_MAX_ITEMS, runItemSchema, runSchema } from '../runs.ts';
import { toolIds } from '../tools.ts';
import { FIELD_CODES, WORK_CODES } from './generations.ts';
import { accepted, bytes, created, DONE, FILE, get, list, post, remove } from './operation.ts';

const newRunSchema = z.strictObject({
  name: nameSchema,
  tool: z.enum(toolIds),
  fields: z.record(z.string(), z.string()).default({}).describe('Texts of every item that has none of its own.'),
  packs: z.array(z.enum(packIds, 'unknown_pack')).default([]),
  lookId: z.string().nullable().default(null).describe('A look of yours; it is copied.'),
});
/** The text fields of the run's tool are accepted, too. */
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

const retrySchema = z
  .strictObject({
    items: z.array(z.string()).min(1).max(RUN_MAX_ITEMS).optional(),
    marks: z.unknown().optional().meta({ $ref: '#/components/schemas/Marks' }),
  })
  .refine(({ items, marks }) => marks === undefined || items?.length === 1, { path: ['items'] });

const RUN_CODES = [
  'name_required',
  'name_too_long',
  'tool_not_for_runs',
  'unknown_pack',
  'pack_not_possible',
  'look_not_found',
] as const;
const ITEM_CODES = [
  'run_closed',
  'run_full',
  'sku_in_use',
  'sku_invalid',
  'height_invalid',
  'item_field_invalid',
] as const;

export const runOperations = [
  post('/runs', 'Begin a catalogue: one tool for many photos.', created(runSchema, 'It is open for photos.'), {
    json: newRunSchema,
    fault: 'invalid_option',
    idempotencyKey: 'required',
    codes: [...RUN_CODES, ...FIELD_CODES],
  }),
  list('/runs', 'Your catalogues, newest first.', runSchema),
  get('/runs/{id}', 'How a catalogue stands.', runSchema),
  list('/runs/{id}/items', 'Its photos and what became of them.', runItemSchema, {
    status: z.enum(generationStatuses).optional(),
  }),
  post('/runs/{id}/items', `Add a photo; up to ${RUN_MAX_ITEMS}.`, accepted(runItemSchema, 'Accepted and paid.'), {
    form: itemForm,
    idempotencyKey: 'required',
    codes: [...ITEM_CODES, ...FIELD_CODES, ...WORK_CODES],
  }),
  remove('/runs/{id}/items/{itemId}', 'Take a photo out that was not made.', DONE, {
    codes: ['not_cancelable'],
  }),
  post('/runs/{id}/close', 'No more photos: it finishes with those that are there.', runSchema),
  post('/runs/{id}/cancel', 'Cancel what waits, with its credits.', runSchema),
  post(
    '/runs/{id}/retry',
    'Try again what failed: all, or the named items, which may have been canceled; one of them also with marks.',
    accepted(runSchema, 'Accepted and paid.'),
    {
      json: retrySchema.optional(),
      fault: 'invalid_option',
      idempotencyKey: 'optional',
      codes: [...WORK_CODES, 'marks_invalid', 'run_closed'],
    },
  ),
  get('/runs/{id}/archive', 'All that is ready as one ZIP, by SKU and marketplace.', bytes(['application/zip'])),
] as const;
