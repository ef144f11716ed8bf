import type { ErrorCode } from '@plinth/contract/errors';
import { KEYS_PER_USER } from '@plinth/contract/keys';
import type { TestApp } from './app.ts';
import { makeKey, makeUser, postJson, type TestUser } from './makers.ts';
import type { Case } from './run-errors.ts';

/** The codes of API keys; `of` returns values that exist only while the tests run. */
export const keyCases = (of: () => { app: TestApp; user: TestUser }) =>
  ({
    invalid_key: {
      status: 401,
      detail: 'This API key is not valid.',
      provoke: () => fetch(`${of().app.url}/api/v1/credits`, { headers: { authorization: 'Bearer plk_wrong' } }),
    },
    session_required: {
      status: 403,
      detail: 'Please sign in to do this.',
      provoke: async () => (await makeKey(of().app, of().user)).fetch('/api/v1/session'),
    },
    too_many_keys: {
      status: 409,
      detail: 'Delete a key before you create another.',
      provoke: async () => {
        const user = await makeUser(of().app);
        for (let at = 0; at < KEYS_PER_USER; at += 1) await makeKey(of().app, user);
        return postJson(`${of().app.url}/api/v1/keys`, { name: 'one more' }, { cookie: user.cookie });
      },
    },
  }) satisfies Partial<Record<ErrorCode, Case>>;

/** The code of billing details. */
export const billingCases = (of: () => TestUser) =>
  ({
    billing_invalid: {
      status: 422,
      detail: 'Some billing details are not valid.',
      provoke: () =>
        of().fetch('/api/v1/account/billing', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: '{"vatId":"no!"}',
        }),
    },
  }) satisfies Partial<Record<ErrorCode, Case>>;
