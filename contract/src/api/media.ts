import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { ARCHIVE_MAX_IDS, PREVIEW_WIDTHS } from '../limits.ts';
import { lookInputSchema, lookListSchema, lookSchema } from '../looks.ts';
import { deletionReceiptSchema, mediaSchema } from '../media.ts';
import { checkListSchema, packListSchema } from '../packs.ts';
import { bytes, created, DONE, FILE, FOR_ALL, get, list, post, put, remove } from './operation.ts';

const ranged = (types: readonly string[], says?: string) => ({
  ...bytes(types, says),
  206: { says: 'The range that was asked for.', bytes: types },
  304: { says: 'As you have it.' },
});
const RESULTS = ['image/png', 'video/mp4'];
const RENDERED = ['image/jpeg', 'image/png'];
const small = { ...bytes(['image/webp']), 304: { says: 'As you have it.' } };
const sized = {
  query: { width: z.enum(PREVIEW_WIDTHS.map(String)).describe('In pixels; never enlarged.') },
  codes: ['invalid_option'] as const,
};
const query = { look: z.string().optional().describe('The id of a look of yours.') };
const settings = z.string().describe('The settings of a look, as JSON.');
const NAME_CODES = ['name_required', 'name_too_long'] as const;
const PACKSHOT_CODES = ['cutout_needed', 'pack_not_possible', 'look_not_found'] as const satisfies ErrorCode[];
const PACK_CODES = [...PACKSHOT_CODES, 'picture_too_small'] as const;

export const mediaOperations = [
  list('/media', 'Your results that are still there, newest first.', mediaSchema),
  get('/media/{id}', 'One result.', mediaSchema),
  remove('/media/{id}', 'Delete a result at once.', DONE),
  get('/media/{id}/content', 'The picture or video itself, with its true content type.', ranged(RESULTS)),
  get('/media/{id}/download', 'The same as a file to save, with its name.', ranged(RESULTS)),
  get('/media/{id}/preview', 'A small picture of it.', small, sized),
  get(
    '/media/{id}/poster',
    'The first frame of a clip, as large as it; the picture that it began from where its frames cannot be read here.',
    bytes(['image/jpeg']),
  ),
  get('/generations/{id}/before', 'A small picture of the photo that it is made from.', small, sized),
  get('/media/archive', 'Results as one ZIP, written as it is sent.', bytes(['application/zip']), {
    query: {
      ids: z.string().optional().describe(`Up to ${ARCHIVE_MAX_IDS} media ids with commas between; all without it.`),
    },
    codes: ['not_found', 'invalid_option', 'unknown_field'],
  }),
  list('/media/receipts', 'What was deleted, when and why, with the digest of its bytes.', deletionReceiptSchema),
  get('/packs', 'The marketplaces and what each of them wants.', packListSchema, FOR_ALL),
  get(
    '/media/{id}/packs/{pack}',
    'A result as this marketplace wants it. `Plinth-Enlarged` says how many times it grew; with a look, `Plinth-Look` whether the rules allow all of it.',
    ranged(RENDERED),
    { query, codes: PACK_CODES },
  ),
  get('/media/{id}/packs/{pack}/preview', 'A small picture of that file.', small, { query, codes: PACK_CODES }),
  get(
    '/media/{id}/packshot',
    'A cut-out by a look, or by settings that need not be saved: square, with its shadow, margins and canvas.',
    ranged(RENDERED, 'A PNG on a transparent canvas, else a JPEG.'),
    {
      query: { ...query, settings: settings.optional() },
      codes: [...PACKSHOT_CODES, 'look_invalid'],
    },
  ),
  get('/media/{id}/packshot/preview', 'The same in small, by settings that need not be saved.', small, {
    query: { settings },
    codes: ['cutout_needed', 'pack_not_possible', 'look_invalid'],
  }),
  get('/looks', 'Your looks, newest first.', lookListSchema),
  post('/looks', 'Save a look; one that was exported is sent as it is.', created(lookSchema), {
    json: lookInputSchema,
    fault: 'look_invalid',
    idempotencyKey: 'optional',
    codes: [...NAME_CODES, 'too_many_looks'],
  }),
  put('/looks/{id}', 'Change a look as a whole.', lookSchema, {
    json: lookInputSchema,
    fault: 'look_invalid',
    codes: [...NAME_CODES, 'look_not_found'],
  }),
  remove('/looks/{id}', 'Delete a look; catalogues that took it keep it.', DONE, { codes: ['look_not_found'] }),
  get('/media/{id}/checks', 'Which rules of the marketplaces a result keeps.', checkListSchema, {
    codes: ['pack_not_possible'],
  }),
  post('/checks', 'The same for any picture of yours; nothing of it is kept.', checkListSchema, {
    form: z.strictObject({ image: FILE }),
    codes: ['image_required'],
  }),
] as const;
