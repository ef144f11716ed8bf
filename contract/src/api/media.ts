import { z } from 'zod';
import { ARCHIVE_MAX_IDS, PREVIEW_WIDTHS } from '../limits.ts';
import { givenLookSchema, lookListSchema, lookSchema } from '../looks.ts';
import { deletionReceiptSchema, mediaSchema } from '../media.ts';
import { checkListSchema, packListSchema } from '../packs.ts';
import { pageSchema } from '../paging.ts';
import { answer, done, FILE, type Operation, PAGING } from './operation.ts';

const bytes = (says: string, type: string) => ({ 200: { says, bytes: type } });
const ranged = (says: string) => ({
  ...bytes(says, 'application/octet-stream'),
  206: { says: 'The range that was asked for.', bytes: 'application/octet-stream' },
  304: { says: 'As you have it.' },
});
const look = { look: z.string().optional().describe('The id of a look of yours.') };
const small = (says: string, type = 'image/webp') => ({ ...bytes(says, type), 304: { says: 'As you have it.' } });
const width = z.enum(PREVIEW_WIDTHS.map(String)).describe('In pixels; never enlarged.');

export const mediaOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/media',
    says: 'Your results that are still there, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(mediaSchema), 'One page.'),
  },
  {
    method: 'get',
    path: '/media/{id}',
    says: 'One result.',
    access: 'session',
    answers: answer(mediaSchema, 'The result.'),
  },
  {
    method: 'delete',
    path: '/media/{id}',
    says: 'Delete a result at once.',
    access: 'session',
    answers: done('Gone.'),
  },
  {
    method: 'get',
    path: '/media/{id}/content',
    says: 'The picture or video itself.',
    access: 'session',
    answers: ranged('The bytes, with their true content type.'),
    codes: ['range_not_satisfiable'],
  },
  {
    method: 'get',
    path: '/media/{id}/download',
    says: 'The same as a file to save.',
    access: 'session',
    answers: ranged('The bytes, with a file name.'),
    codes: ['range_not_satisfiable'],
  },
  {
    method: 'get',
    path: '/media/{id}/preview',
    says: 'A small picture of it.',
    access: 'session',
    query: { width },
    answers: small('A WebP.'),
    codes: ['invalid_option'],
  },
  {
    method: 'get',
    path: '/media/{id}/poster',
    says: 'The first frame of a clip; the picture that it began from where its frames cannot be read here.',
    access: 'session',
    answers: small('A JPEG, as large as the clip.', 'image/jpeg'),
    codes: [],
  },
  {
    method: 'get',
    path: '/media/{id}/before',
    says: 'A small picture of what it was made from.',
    access: 'session',
    query: { width },
    answers: small('A WebP.'),
    codes: ['invalid_option'],
  },
  {
    method: 'get',
    path: '/media/archive',
    says: 'Results as one ZIP.',
    access: 'session',
    query: {
      ids: z.string().optional().describe(`Up to ${ARCHIVE_MAX_IDS} media ids with commas between; all without it.`),
    },
    answers: bytes('The ZIP, written as it is sent.', 'application/zip'),
    codes: ['not_found', 'invalid_option', 'unknown_field'],
  },
  {
    method: 'get',
    path: '/media/receipts',
    says: 'What was deleted, when and why, with the digest of its bytes.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(deletionReceiptSchema), 'One page, last deleted first.'),
  },
  {
    method: 'get',
    path: '/packs',
    says: 'The marketplaces and what each of them wants.',
    access: 'public',
    isForAll: true,
    answers: answer(packListSchema, 'All of them.'),
  },
  {
    method: 'get',
    path: '/media/{id}/packs/{pack}',
    says: 'A result as this marketplace wants it. `Plinth-Enlarged` says how many times it grew; with a look, `Plinth-Look` whether the rules allow all of it.',
    access: 'session',
    query: look,
    answers: ranged('The file.'),
    codes: ['cutout_needed', 'picture_too_small', 'pack_not_possible', 'look_not_found', 'range_not_satisfiable'],
  },
  {
    method: 'get',
    path: '/media/{id}/packs/{pack}/preview',
    says: 'A small picture of that file.',
    access: 'session',
    query: look,
    answers: small('A WebP.'),
    codes: ['cutout_needed', 'picture_too_small', 'pack_not_possible', 'look_not_found'],
  },
  {
    method: 'get',
    path: '/media/{id}/packshot',
    says: 'A cut-out by a look: square, with its shadow, margins and canvas.',
    access: 'session',
    query: look,
    answers: ranged('A PNG on a transparent canvas, else a JPEG.'),
    codes: ['cutout_needed', 'pack_not_possible', 'look_not_found', 'range_not_satisfiable'],
  },
  {
    method: 'get',
    path: '/looks',
    says: 'Your looks, newest first.',
    access: 'session',
    answers: answer(lookListSchema, 'All of them.'),
  },
  {
    method: 'post',
    path: '/looks',
    says: 'Save a look; one that was exported is sent as it is.',
    access: 'session',
    json: givenLookSchema,
    answers: { 201: { says: 'Saved.', json: lookSchema } },
    codes: ['name_required', 'name_too_long', 'look_invalid', 'too_many_looks'],
  },
  {
    method: 'put',
    path: '/looks/{id}',
    says: 'Change a look as a whole.',
    access: 'session',
    json: givenLookSchema,
    answers: answer(lookSchema, 'As it is now.'),
    codes: ['name_required', 'name_too_long', 'look_invalid', 'look_not_found'],
  },
  {
    method: 'delete',
    path: '/looks/{id}',
    says: 'Delete a look; catalogues that took it keep it.',
    access: 'session',
    answers: done('Gone.'),
    codes: ['look_not_found'],
  },
  {
    method: 'get',
    path: '/media/{id}/checks',
    says: 'Which rules of the marketplaces a result keeps.',
    access: 'session',
    answers: answer(checkListSchema, 'Every marketplace, with what was measured.'),
    codes: ['pack_not_possible'],
  },
  {
    method: 'post',
    path: '/checks',
    says: 'The same for any picture of yours; nothing of it is kept.',
    access: 'session',
    form: z.strictObject({ image: FILE }),
    answers: answer(checkListSchema, 'Every marketplace, with what was measured.'),
    codes: ['image_required', 'image_unreadable', 'image_read_failed'],
  },
];
