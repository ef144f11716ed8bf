import { z } from 'zod';
import { accountOperations, creditOperations } from './account.ts';
import { generationOperations } from './generations.ts';
import { mediaOperations } from './media.ts';
import { answer, type OperationGroup } from './operation.ts';
import { runOperations } from './runs.ts';
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
    title: 'This document',
    operations: [
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
