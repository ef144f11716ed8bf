import { z } from 'zod';
import { sessionEntrySchema, sessionSchema, signInOptionsSchema } from '../auth.ts';
import { creditsSchema, ledgerEntrySchema, statementSchema } from '../credits.ts';
import { apiKeySchema, newApiKeySchema } from '../keys.ts';
import { countCharacters, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../limits.ts';
import { nameSchema } from '../names.ts';
import {
  billingDetailsSchema,
  packageKeys,
  packageSchema,
  purchaseSchema,
  sandboxActionSchema,
  sandboxAnswerSchema,
} from '../payments.ts';
import { BROWSER, bytes, created, DONE, FOR_ALL, get, list, post, put, remove } from './operation.ts';

const email = z.string('credentials_required').trim().min(1, 'credentials_required');
const password = z.string('credentials_required').min(1, 'credentials_required');
/** Characters; the limit of RFC 5321. */
const EMAIL_MAX_LENGTH = 254;
const newEmail = email.refine(
  (given) => given.length <= EMAIL_MAX_LENGTH && z.email().safeParse(given).success,
  'email_invalid',
);

const PASSWORD_CODES = ['password_too_short', 'password_too_long'] as const;
const withPasswordLimits = (given: z.ZodString) =>
  given
    .refine((text) => countCharacters(text) >= PASSWORD_MIN_LENGTH, 'password_too_short')
    .refine((text) => countCharacters(text) <= PASSWORD_MAX_LENGTH, 'password_too_long')
    .meta({ minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH });
const passwordChange = z
  .strictObject({
    newPassword: withPasswordLimits(z.string('password_too_short')),
    confirmPassword: z.string('passwords_do_not_match'),
  })
  .refine(({ newPassword, confirmPassword }) => newPassword === confirmPassword, {
    error: 'passwords_do_not_match',
    path: ['confirmPassword'],
  });

export const creditOperations = [
  get('/credits', 'Your balance.', creditsSchema),
  list('/credits/history', 'Every credit you got or spent, newest first.', ledgerEntrySchema),
  get(
    '/credits/statement',
    'All of them as a file that anybody can verify, oldest first, each with a hash over the one before it; CSV for `Accept: text/csv`.',
    { 200: { json: statementSchema, bytes: ['text/csv'] } },
  ),
  get('/packages', 'Credits for sale.', z.object({ items: z.array(packageSchema) }), FOR_ALL),
  post('/purchases', 'Begin a purchase; pay at its checkout address.', created(purchaseSchema), {
    json: z.strictObject({ package: z.enum(packageKeys, 'invalid_package') }),
    idempotencyKey: 'required',
    codes: ['invalid_package'],
  }),
  list('/purchases', 'Your purchases, newest first.', purchaseSchema),
  get('/purchases/{id}', 'How a purchase stands.', purchaseSchema),
  get('/purchases/{id}/receipt', 'The receipt of a paid purchase, to print.', bytes(['text/html'])),
  get('/purchases/{id}/receipt.pdf', 'The same as a file.', bytes(['application/pdf'])),
  post(
    '/sandbox/checkout/{token}',
    'Decide at the checkout for trying out; only where that is open.',
    sandboxAnswerSchema,
    { ...BROWSER, json: sandboxActionSchema, fault: 'invalid_option' },
  ),
] as const;

export const accountOperations = [
  get('/account/billing', 'What your receipts say of you, besides your address; nulls at first.', billingDetailsSchema),
  put(
    '/account/billing',
    'Change all of that. Receipts made afterwards say it, earlier ones stay as they were.',
    billingDetailsSchema,
    { json: billingDetailsSchema, fault: 'billing_invalid' },
  ),
  get('/auth/options', 'Which ways to sign in there are.', signInOptionsSchema, FOR_ALL),
  post('/auth/sign-up', 'Open an account, and be signed in by a cookie.', created(sessionSchema), {
    ...BROWSER,
    json: z.strictObject({ email: newEmail, password: withPasswordLimits(password) }),
    codes: ['credentials_required', 'email_invalid', 'email_in_use', 'sign_up_disabled', ...PASSWORD_CODES],
  }),
  post('/auth/sign-in', 'Sign in, by a cookie.', sessionSchema, {
    ...BROWSER,
    json: z.strictObject({ email, password }),
    codes: ['credentials_required', 'invalid_credentials'],
  }),
  post('/auth/refresh', 'Stay signed in for longer.', sessionSchema, {
    ...BROWSER,
    codes: ['no_active_session', 'refresh_token_not_found'],
  }),
  post('/auth/sign-out', 'Sign out, whoever asks.', DONE, BROWSER),
  post('/auth/password', 'Change the password; every other session ends.', z.object({ updated: z.literal(true) }), {
    json: passwordChange,
    codes: [...PASSWORD_CODES, 'passwords_do_not_match'],
  }),
  list('/auth/sessions', 'Where you are signed in.', sessionEntrySchema),
  remove('/auth/sessions', 'End all of these but the one that asks.', DONE),
  remove('/auth/sessions/{id}', 'End one of these.', DONE),
  get('/session', 'Who is signed in, and the balance.', sessionSchema, {
    ...BROWSER,
    codes: ['no_active_session', 'refresh_token_not_found'],
  }),
  post('/keys', 'Make an API key.', created(newApiKeySchema, 'The key, with its secret this once.'), {
    json: z.strictObject({ name: nameSchema }),
    idempotencyKey: 'optional',
    codes: ['name_required', 'name_too_long', 'too_many_keys'],
  }),
  list('/keys', 'Your API keys, newest first.', apiKeySchema),
  remove('/keys/{id}', 'Delete a key; it is refused at once.', DONE),
  get('/account/export', 'Everything that is kept about you, written as it is sent.', bytes(['application/zip'])),
  remove('/account', 'Delete your account for good.', DONE, {
    json: z.strictObject({ password: password.optional() }).optional(),
    codes: ['credentials_required', 'invalid_credentials', 'sign_in_again'],
  }),
] as const;
