import type { ErrorCode } from '@plinth/contract/errors';
import type { TestApp } from './app.ts';
import { addEndpoint, makeUser } from './makers.ts';
import type { Case } from './run-errors.ts';

/** The codes of webhook endpoints; `of` returns values that exist only while the tests run. */
export const webhookCases = (of: () => { app: TestApp }) =>
  ({
    too_many_endpoints: {
      status: 409,
      detail: 'Delete an endpoint before you create another.',
      provoke: async () => {
        const owner = await makeUser(of().app);
        const add = () => addEndpoint(owner, { url: 'https://93.184.216.34/', events: ['run.finished'] });
        await Promise.all(Array.from({ length: 10 }, add));
        return add();
      },
    },
    url_not_allowed: {
      status: 422,
      detail: 'Use a public https address.',
      provoke: async () =>
        addEndpoint(await makeUser(of().app), { url: 'https://10.0.0.1/', events: ['run.finished'] }),
    },
  }) satisfies Partial<Record<ErrorCode, Case>>;
