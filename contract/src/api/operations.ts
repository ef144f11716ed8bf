import { z } from 'zod';
import { accountOperations, creditOperations } from './account.ts';
import { generationOperations } from './generations.ts';
import { mediaOperations } from './media.ts';
import { answer, type OperationGroup } from './operation.ts';
import { runOperations } from './runs.ts';
import { statusSchema } from '../status.ts';
import { webhookOperations } from './webhooks.ts';

/** Every route below /api/v1, in the order in which somebody who writes a program wants to read of them. */
export const operationGroups: readonly OperationGroup[] = [
  { title: 'Making pictures and videos', operations: generationOperations },
  { title: 'Results and marketplaces', operations: mediaOperations },
  { title: 'Catalogues', operations: runOperations },
  { title: 'Webhooks', operations: webhookOperations },
  { title: 'Credits and purchases', operations: creditOperations },
  { title: 'Account', operations: accountOperations },
  {
    title: 'About this site',
    operations: [
      {
        method: 'get',
        path: '/status',
        says: 'How generations ended and how long they took, in the last 24 hours and 30 days.',
        access: 'public',
        isForAll: true,
        answers: answer(statusSchema, 'The figures; nothing is said of fewer than 20 generations.'),
      },
      {
        method: 'get',
        path: '/openapi.json',
        says: 'All of this as OpenAPI 3.1.',
        access: 'public',
        isForAll: true,
        answers: answer(z.looseObject({ openapi: z.string() }), 'The document.'),
      },
    ],
  },
];
