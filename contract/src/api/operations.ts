import { z } from 'zod';
import { accountOperations, creditOperations } from './account.ts';
import { generationOperations } from './generations.ts';
import { mediaOperations } from './media.ts';
import { FILE, FOR_ALL, get, post, PUBLIC, type OperationGroup } from './operation.ts';
import { runOperations } from './runs.ts';
import { signersSchema, verifiedSchema } from '../origin.ts';
import { statusSchema } from '../status.ts';
import { webhookOperations } from './webhooks.ts';

const siteOperations = [
  get(
    '/status',
    'How generations ended and how long they took, in the last 24 hours and 30 days; nothing is said of fewer than 20.',
    statusSchema,
    FOR_ALL,
  ),
  post(
    '/verify',
    'Whether a picture or clip was made here, by what, and whether it was changed; nothing of it is kept.',
    verifiedSchema,
    {
      ...PUBLIC,
      form: z.union([z.strictObject({ image: FILE }), z.strictObject({ video: FILE })]),
      codes: ['image_required'],
    },
  ),
  get(
    '/signers',
    'The public keys that files made here are or were signed with, for whoever verifies them without us.',
    signersSchema,
    FOR_ALL,
  ),
  get('/openapi.json', 'All of this as OpenAPI 3.1.', z.looseObject({ openapi: z.string() }), FOR_ALL),
] as const;

const groups = [
  { title: 'Making pictures and videos', operations: generationOperations },
  { title: 'Results and marketplaces', operations: mediaOperations },
  { title: 'Catalogues', operations: runOperations },
  { title: 'Webhooks', operations: webhookOperations },
  { title: 'Credits and purchases', operations: creditOperations },
  { title: 'Account', operations: accountOperations },
  { title: 'About this site', operations: siteOperations },
] as const satisfies readonly OperationGroup[];
/** Every route below /api/v1, in the order of the API reference. */
export const operationGroups: readonly OperationGroup[] = groups;

type Known = (typeof groups)[number]['operations'][number];
type Bodies = { [One in Known as `${One['method']} ${One['path']}`]: z.infer<NonNullable<One['json']>> };
/** For example `post /runs/{id}/items`. */
export type OperationName = keyof Bodies;
export type BodyOf<Name extends OperationName> = Bodies[Name];
