import { type ErrorCode } from '@plinth/contract/errors';
import { LOOKS_PER_USER } from '@plinth/contract/looks';
import type { TestApp } from './app.ts';
import { makeUser, postJson, type TestUser } from './makers.ts';
import type { Case } from './run-errors.ts';

export const postLook = (app: TestApp, user: TestUser, body: object) =>
  postJson(`${app.url}/api/v1/looks`, body, { cookie: user.cookie });

/** The codes of looks; `of` returns values that exist only while the tests run. */
export const lookCases = (of: () => { app: TestApp; user: TestUser }) =>
  ({
    look_invalid: {
      status: 422,
      detail: 'Some settings of this look are not valid.',
      provoke: () => postLook(of().app, of().user, { name: 'x', shadow: 'long' }),
    },
    look_not_found: {
      status: 404,
      detail: 'This look does not exist.',
      provoke: () => of().user.fetch('/api/v1/looks/look_nobodys', { method: 'DELETE' }),
    },
    too_many_looks: {
      status: 409,
      detail: 'Delete a look before you create another.',
      provoke: async () => {
        const user = await makeUser(of().app);
        for (let at = 0; at < LOOKS_PER_USER; at += 1) await postLook(of().app, user, { name: `look ${at}` });
        return postLook(of().app, user, { name: 'one more' });
      },
    },
  }) satisfies Partial<Record<ErrorCode, Case>>;
