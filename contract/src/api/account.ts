import { z } from 'zod';
import { sessionEntrySchema, sessionSchema, signInOptionsSchema } from '../auth.ts';
import { creditsSchema, ledgerEntrySchema, statementSchema } from '../credits.ts';
import { apiKeySchema, newApiKeySchema } from '../keys.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../limits.ts';
import { pageSchema } from '../paging.ts';
import { packageKeys, packageSchema, purchaseSchema, sandboxActionSchema, sandboxAnswerSchema } from '../payments.ts';
import { NAME_MAX_LENGTH } from '../runs.ts';
import { answer, done, type Operation, PAGING } from './operation.ts';

const credentialsSchema = z.strictObject({ email: z.string(), password: z.string() });
const newPassword = z.string().min(PASSWORD_MIN_LENGTH).max(PASSWORD_MAX_LENGTH);

export const creditOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/credits',
    says: 'Your balance.',
    access: 'session',
    answers: answer(creditsSchema, 'The balance.'),
  },
  {
    method: 'get',
    path: '/credits/history',
    says: 'Every credit you got or spent, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(ledgerEntrySchema), 'One page.'),
  },
  {
    method: 'get',
    path: '/credits/statement',
    says: 'All of them as a file that anybody can verify; CSV for `Accept: text/csv`.',
    access: 'session',
    answers: answer(statementSchema, 'Every entry, oldest first, each with a hash over the one before it.'),
  },
  {
    method: 'get',
    path: '/packages',
    says: 'Credits for sale.',
    access: 'public',
    isForAll: true,
    answers: answer(z.object({ items: z.array(packageSchema) }), 'The packages.'),
  },
  {
    method: 'post',
    path: '/purchases',
    says: 'Begin a purchase; pay at its checkout address.',
    access: 'session',
    json: z.strictObject({ package: z.enum(packageKeys) }),
    idempotencyKey: 'required',
    answers: { 201: { says: 'Waits for its payment.', json: purchaseSchema } },
    codes: ['invalid_package'],
  },
  {
    method: 'get',
    path: '/purchases',
    says: 'Your purchases, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(purchaseSchema), 'One page.'),
  },
  {
    method: 'get',
    path: '/purchases/{id}',
    says: 'How a purchase stands.',
    access: 'session',
    answers: answer(purchaseSchema, 'The purchase.'),
  },
  {
    method: 'get',
    path: '/purchases/{id}/receipt',
    says: 'The receipt of a paid purchase, to print.',
    access: 'session',
    answers: { 200: { says: 'A page.', bytes: 'text/html' } },
  },
  {
    method: 'get',
    path: '/purchases/{id}/receipt.pdf',
    says: 'The same as a file.',
    access: 'session',
    answers: { 200: { says: 'One page.', bytes: 'application/pdf' } },
  },
  {
    method: 'post',
    path: '/sandbox/checkout/{token}',
    says: 'Decide at the checkout for trying out; only where that is open.',
    access: 'public',
    json: sandboxActionSchema,
    answers: answer(sandboxAnswerSchema, 'Where the buyer goes.'),
    codes: ['invalid_option'],
  },
];

export const accountOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/auth/options',
    says: 'Which ways to sign in there are.',
    access: 'public',
    isForAll: true,
    answers: answer(signInOptionsSchema, 'The ways.'),
  },
  {
    method: 'post',
    path: '/auth/sign-up',
    says: 'Open an account.',
    access: 'public',
    json: credentialsSchema,
    answers: { 201: { says: 'Signed in, by a cookie.', json: sessionSchema } },
    codes: [
      'credentials_required',
      'email_invalid',
      'password_too_short',
      'password_too_long',
      'email_in_use',
      'sign_up_disabled',
    ],
  },
  {
    method: 'post',
    path: '/auth/sign-in',
    says: 'Sign in.',
    access: 'public',
    json: credentialsSchema,
    answers: answer(sessionSchema, 'Signed in, by a cookie.'),
    codes: ['credentials_required', 'invalid_credentials'],
  },
  {
    method: 'post',
    path: '/auth/refresh',
    says: 'Stay signed in for longer.',
    access: 'public',
    answers: answer(sessionSchema, 'The session, with its new end.'),
    codes: ['no_active_session', 'refresh_token_not_found'],
  },
  {
    method: 'post',
    path: '/auth/sign-out',
    says: 'Sign out.',
    access: 'public',
    answers: done('Signed out, whoever asks.'),
  },
  {
    method: 'post',
    path: '/auth/password',
    says: 'Change the password; every other session ends.',
    access: 'session',
    json: z.strictObject({ newPassword, confirmPassword: z.string() }),
    answers: answer(z.object({ updated: z.literal(true) }), 'Changed.'),
    codes: ['password_too_short', 'password_too_long', 'passwords_do_not_match'],
  },
  {
    method: 'get',
    path: '/auth/sessions',
    says: 'Where you are signed in.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(sessionEntrySchema), 'One page.'),
  },
  {
    method: 'delete',
    path: '/auth/sessions/{id}',
    says: 'End one of these.',
    access: 'session',
    answers: done('Ended.'),
  },
  {
    method: 'get',
    path: '/session',
    says: 'Who is signed in.',
    access: 'public',
    answers: answer(sessionSchema, 'The person and the balance.'),
    codes: ['no_active_session', 'refresh_token_not_found'],
  },
  {
    method: 'post',
    path: '/keys',
    says: 'Make an API key.',
    access: 'session',
    json: z.strictObject({ name: z.string().max(NAME_MAX_LENGTH) }),
    idempotencyKey: 'optional',
    answers: { 201: { says: 'The key, with its secret this once.', json: newApiKeySchema } },
    codes: ['name_required', 'name_too_long', 'too_many_keys'],
  },
  {
    method: 'get',
    path: '/keys',
    says: 'Your API keys, newest first.',
    access: 'session',
    query: PAGING,
    answers: answer(pageSchema(apiKeySchema), 'One page.'),
  },
  {
    method: 'delete',
    path: '/keys/{id}',
    says: 'Delete a key; it is refused at once.',
    access: 'session',
    answers: done('Gone.'),
  },
  {
    method: 'get',
    path: '/account/export',
    says: 'Everything that is kept about you.',
    access: 'session',
    answers: { 200: { says: 'A ZIP, written as it is sent.', bytes: 'application/zip' } },
  },
  {
    method: 'delete',
    path: '/account',
    says: 'Delete your account for good.',
    access: 'session',
    json: z.strictObject({ password: z.string().optional() }).optional(),
    answers: done('Gone, and signed out.'),
    codes: ['credentials_required', 'invalid_credentials', 'sign_in_again'],
  },
];
